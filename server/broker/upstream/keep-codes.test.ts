import { beforeEach, expect, it } from "vitest";
import type { ChangeTopic } from "../access/notifiers.ts";
import { keepCodes } from "./keep-codes.ts";

let nowMs = 0;
let state = "unpaid";
let asked: string[] = [];
let makes: object = {};
let publish: (topic: ChangeTopic) => void;
let kept: ReturnType<typeof keepCodes>;

const upstream = {
  async call(name: string, { reference }: { readonly reference?: string }) {
    asked.push(`${name} ${reference}`);
    if (name === "createTransactionQr") return makes;
    if (state === "away") throw new Error("away");
    const payment = name === "createTransaction" ? { id: `payment of ${reference}`, kind: "qr" } : {};
    return { status: 200, body: { reference, state, status: state, expires_in: 60, ...payment } };
  },
};
const ask = async (reference: string, takesRecent = false) =>
  (await kept.call("transactionQr", { reference }, undefined, takesRecent)).body;

beforeEach(() => {
  [nowMs, state, asked] = [0, "unpaid", []];
  const hints = {
    onInvalidate(forget: typeof publish) {
      publish = forget;
    },
  };
  kept = keepCodes(upstream as never, { now: () => nowMs, hints });
});

it.each(["unpaid", "pending", "expired", "cancelled"])("a code that is %s is asked for each time", async (now) => {
  state = now;
  await ask(now);
  expect(await ask(now)).toMatchObject({ state: now });
  expect(asked).toHaveLength(2);
});

it("a code that is paid is asked for once a minute, and its time goes on", async () => {
  state = "paid";
  await ask("A");
  nowMs = 10_000;
  publish("code:A");
  expect(await ask("A")).toEqual({ reference: "A", state: "paid", status: "paid", expires_in: 50 });
  await ask("B");
  expect(asked).toEqual(["transactionQr A", "transactionQr B"]);
  nowMs = 60_000;
  expect(await ask("A")).toMatchObject({ expires_in: 60 });
  expect(asked).toHaveLength(3);
});

it("other operations are never answered from memory", async () => {
  state = "paid";
  await kept.call("cancelTransactionQr", { reference: "C" });
  await kept.call("cancelTransactionQr", { reference: "C" });
  expect(asked).toHaveLength(2);
});

it("calls that take a recent answer share one for a second, and no longer than until a hint", async () => {
  expect(await Promise.all([ask("A", true), ask("A", true)])).toMatchObject([{ state: "unpaid" }, { state: "unpaid" }]);
  nowMs = 999;
  await ask("A", true);
  expect(asked).toHaveLength(1);
  state = "cancelled";
  publish("code:A");
  expect(await ask("A", true)).toMatchObject({ state: "cancelled" });
  nowMs = 2_000;
  await ask("A", true);
  expect(asked).toHaveLength(3);
});

it("a code that was made through it just now is known as unpaid, and one that was made before is not", async () => {
  const made = {
    ...{ reference: "A", payload: "000201", to_user_id: "01890a5d-ac96-774b-bcce-b302099a8057", to_user: "Café" },
    ...{ amount: 5, currency: "COP", check_code: "ABCD", expires_at: "2026-03-31T12:00:00.000Z", expires_in: 60 },
  };
  const answers = [
    { replayed: false, body: made },
    { replayed: true, body: { ...made, reference: "B" } },
    { replayed: false, body: { reference: "C", payload: "000201", check_code: "ABCD", expires_in: 60 } },
  ];
  for (const answer of answers) {
    makes = answer;
    await kept.call("createTransactionQr", {});
  }
  expect(await ask("A", true)).toEqual({ ...made, state: "unpaid" });
  await ask("B", true);
  await ask("C", true);
  expect(asked.slice(-2)).toEqual(["transactionQr B", "transactionQr C"]);
  expect(asked).toHaveLength(5);
});

it("a code that is paid through it is known as paid, and one whose payment was rejected is not", async () => {
  await ask("A");
  await ask("B");
  nowMs = 5_000;
  state = "approved";
  await kept.call("createTransaction", { reference: "A" });
  state = "rejected";
  await kept.call("createTransaction", { reference: "B" });
  state = "unpaid";
  expect(await ask("A")).toMatchObject({ state: "paid", transaction_id: "payment of A", expires_in: 55 });
  expect(await ask("B")).toMatchObject({ state: "unpaid" });
  expect(asked.slice(-2)).toEqual(["createTransaction B", "transactionQr B"]);
});

it("a look that failed is told to all who waited for it, and to nobody after them", async () => {
  state = "away";
  const failed = await Promise.allSettled([ask("A", true), ask("A", true)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  state = "unpaid";
  expect(await ask("A", true)).toMatchObject({ state: "unpaid" });
  expect(asked).toHaveLength(2);
});
