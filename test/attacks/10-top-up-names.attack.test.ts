import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const NAME = "Luz Marina Ochoa";

interface Listed {
  readonly id: string;
  readonly counterparty: string;
  readonly receipt: string;
}

let target: Target;
let own: EntityCaller;
let seller: AppBrowser;
let sellerId: string;

beforeAll(async () => {
  target = await Target.start();
  [own, seller] = [await target.own(), await target.demoPerson("merchant")];
  sellerId = (await seller.get("/v1/me")).body.id;
});
afterAll(() => target?.remove());

/** Makes the smallest top-up of a user of whom a till knows only the phone. */
async function aTopUp() {
  const to = await own.aUser({ name: NAME });
  const sale = { amount: 1, from_user_id: sellerId, to_user_id: to };
  return { to, id: (await own.post("/create-recharge-transaction", sale)).body.id as string };
}

const inHistory = async (id: string): Promise<Listed> =>
  (await seller.get("/v1/me/history")).body.find((each: Listed) => each.id === id);

const thisMonth = () => new Intl.DateTimeFormat("en-CA", { timeZone: "America/Bogota" }).format().slice(0, 7);

/** True if a receipt's bytes hold a user's id. */
function holds(receipt: string, id: string): boolean {
  return Buffer.from(receipt, "base64url").includes(Buffer.from(id.replaceAll("-", ""), "hex"));
}

describe("10: a name that a look-up masks", () => {
  attack("is bought with the smallest top-up, and read in the history", async () => {
    const { id } = await aTopUp();
    expect((await inHistory(id)).counterparty).not.toBe(NAME);
  });

  attack("is read in the summary", async () => {
    const { to } = await aTopUp();
    const { body } = await seller.get("/v1/me/summary");
    const { payee } = body.find((each: { payee_id: string }) => each.payee_id === to);
    expect(payee).not.toBe(NAME);
  });

  attack("is read in the statement", async () => {
    const { id } = await aTopUp();
    const { movements } = (await seller.get("/v1/me/statement", { month: thisMonth() })).body;
    expect(movements.find((each: Listed) => each.id === id).counterparty).not.toBe(NAME);
  });

  attack("comes back with what the receiver gives back", async () => {
    const { id } = await aTopUp();
    const { body } = await own.post("/reverse-transaction", { id });
    expect((await inHistory(body.id)).counterparty).not.toBe(NAME);
  });

  it("is not read once the seller has paid, and is once the other has", async () => {
    const to = await own.aUser({ name: NAME, quota: 10 });
    const payment = { amount: 1, from_user_id: sellerId, to_user_id: to };
    const { id } = (await own.post("/create-transaction", payment)).body;
    expect((await inHistory(id)).counterparty).toBe("Luz M. O.");
    const back = { amount: 1, from_user_id: to, to_user_id: sellerId };
    await own.post("/create-transaction", back);
    expect((await inHistory(id)).counterparty).toBe(NAME);
  });
});

describe("10: a receipt that somebody shows", () => {
  attack("carries the ids of payer and payee for whoever reads its bytes", async () => {
    const { id, to } = await aTopUp();
    const { receipt } = await inHistory(id);
    expect([holds(receipt, sellerId), holds(receipt, to)]).toEqual([false, false]);
  });

  it("is verified, with the person of a top-up covered", async () => {
    const { id } = await aTopUp();
    const { receipt } = await inHistory(id);
    const { status, body } = await seller.post("/v1/receipts/verify", { receipt });
    expect([status, body.payee]).toEqual([200, "Luz M. O."]);
  });
});
