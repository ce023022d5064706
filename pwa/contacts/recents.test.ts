import type { ReactiveController, ReactiveControllerHost } from "lit";
import { expect, test, vi } from "vitest";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { aStore, movement as movementOf } from "../../test/support/app-store.ts";
import type { AppContext } from "../context/app-context.ts";
import { everything, filterMovements } from "../lists/movement-search.ts";
import { nameMovements } from "./name-movements.ts";
import { Recents, recentsIn } from "./recents.ts";

const [BEN, EVA] = ["01890a5d-ac96-774b-bcce-b302099a8058", "01890a5d-ac96-774b-bcce-b302099a8059"];

function movement(change: Partial<Movement>): Movement {
  return {
    id: crypto.randomUUID(),
    reference: "7K3M9QXT2V4FW",
    kind: "transfer",
    status: "approved",
    direction: "sent",
    counterparty: "Ben R.",
    counterparty_id: BEN,
    amount: 8_000,
    currency: "COP",
    created_at: "2026-03-31T14:05:00.000Z",
    ...change,
  };
}

const namesOf = (movements: readonly Movement[]): readonly string[] =>
  movements.map(({ counterparty }) => counterparty);
const named = (movements: readonly Movement[], nicknames: readonly (readonly [string, string])[] = []) =>
  namesOf(nameMovements(movements, new Map(nicknames)));

test("whoever has paid the person is named in full from then on, in what was sent before too", () => {
  const paid = movement({ direction: "received", counterparty: "Ben Ruiz" });
  expect(named([paid, movement({})])).toEqual(["Ben Ruiz", "Ben Ruiz"]);
  expect(named([movement({ counterparty_id: EVA, counterparty: "Eva P." }), paid])).toEqual(["Eva P.", "Ben Ruiz"]);
});

test("money that did not come, or is the person's own that came back, names nobody in full", () => {
  for (const change of [{ status: "rejected" }, { status: "pending" }, { kind: "refund" }] as const) {
    const other = movement({ direction: "received", counterparty: "Ben R. (?)", ...change });
    expect(named([other, movement({})])).toEqual(["Ben R. (?)", "Ben R."]);
  }
});

test("a nickname stands beside the name, of which it is no part, and finds the movement as the name does", () => {
  const [sent, other] = [movement({}), movement({ counterparty_id: EVA, counterparty: "Eva P." })];
  const shown = nameMovements([sent, other], new Map([[BEN, "Compañero"]]));
  expect(shown.map(({ counterparty, nickname }) => [counterparty, nickname])).toEqual([
    ["Ben R.", "Compañero"],
    ["Eva P.", undefined],
  ]);
  for (const text of ["companero", "ben"]) {
    expect(filterMovements(shown, { ...everything, text })).toEqual([shown[0]]);
  }
  expect(shown[1]).toBe(other);
});

test("recents are the last people whom the person transferred to, each once with the latest transfer", () => {
  const [latest, eva, before] = [
    movement({ amount: 5_000 }),
    movement({ counterparty_id: EVA, counterparty: "Eva P." }),
    movement({ amount: 9_000 }),
  ];
  const others = [
    movement({ kind: "qr", counterparty_id: crypto.randomUUID() }),
    movement({ direction: "received", counterparty_id: crypto.randomUUID() }),
    movement({ status: "rejected", counterparty_id: crypto.randomUUID() }),
  ];
  expect(recentsIn([...others, latest, eva, before])).toEqual([latest, eva]);
  const many = Array.from({ length: 9 }, () => movement({ counterparty_id: crypto.randomUUID() }));
  expect(recentsIn(many)).toEqual(many.slice(0, 5));
});

/** The recents of a page that is open, with the store's movements read so often and its nicknames. */
async function openRecents() {
  const { broker, clock, session, store } = aStore();
  const controllers: ReactiveController[] = [];
  const host = {
    addController: (controller: ReactiveController) => controllers.push(controller),
    requestUpdate: vi.fn(),
  } as Partial<ReactiveControllerHost> as ReactiveControllerHost;
  const api = { myNicknames: async () => ({ body: [] }) };
  const context = { api, session, store } as unknown as AppContext;
  const recents = new Recents(host, () => context);
  broker.movements = [movementOf(2, { kind: "transfer", direction: "sent" }), movementOf(1)];
  await store.start();
  await store.sync();
  for (const controller of controllers) controller.hostConnected?.();
  await recents.read();
  return { broker, clock, recents, store, reads: vi.spyOn(store, "movements") };
}

test("recents are read again once movements came, and for no other change of the store", async () => {
  const { broker, recents, reads, store } = await openRecents();
  await store.sync();
  await store.keepNicknames(new Map([[movementOf(2).counterparty_id, "Lolita"]]));
  expect(reads).not.toHaveBeenCalled();
  expect(recents.transfers.map(({ amount, nickname }) => [amount, nickname])).toEqual([[2, "Lolita"]]);
  broker.changed = [movementOf(3, { kind: "transfer" })];
  await store.sync();
  expect(reads).toHaveBeenCalledOnce();
  await expect.poll(() => recents.transfers.map(({ amount }) => amount)).toEqual([3]);
});

test("recents go when the history is hidden, and are back with the broker's answer", async () => {
  const { broker, clock, recents, store } = await openRecents();
  clock.now += 31 * 86_400_000;
  broker.failure = new Error("no answer");
  await store.sync();
  await expect.poll(() => recents.transfers).toEqual([]);
  broker.failure = undefined;
  await store.sync();
  await expect.poll(() => recents.transfers.length).toBe(1);
});
