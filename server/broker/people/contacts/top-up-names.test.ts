import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { businessTime } from "../../../../src/business-time.ts";
import { aBroker, ORIGIN, ownPage, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { readPdfText } from "../../../../test/support/read-pdf-text.ts";
import { aUser } from "../../../../test/support/service.ts";
import { fundShop } from "../../../../test/support/till.ts";

const NAME = "Luz Marina Ochoa";
const COVERED = "Luz M. O.";

let broker: TestBroker;
let shop: PersonClient;
let receiver: string;
let month: string;
/** A top-up of the receiver that the shop sold. */
let sold: string;

beforeAll(async () => {
  broker = await aBroker();
  await fundShop(broker);
  shop = await broker.as("merchant");
  receiver = (await aUser(broker.entity, { name: NAME })).id;
  month = businessTime(broker.options.timeZone).dayOf(broker.options.clock()).slice(0, 7);
  sold = await sellTo(receiver, 30);
});
afterAll(() => broker.stop());

async function sellTo(to: string, amount: number): Promise<string> {
  const body = { from_user_id: broker.shop.id, to_user_id: to, amount };
  return (await broker.entity.client.createRechargeTransaction({ body }, { idempotencyKey: v7() })).body.id;
}

async function giveBack(id: string, amount: number): Promise<string> {
  const body = { id, amount };
  return (await broker.entity.client.reverseTransaction({ body }, { idempotencyKey: v7() })).body.id;
}

const inHistory = async (id: string) => (await shop.myHistory({ query: {} })).body.find((each) => each.id === id);
const inSummary = async () => (await shop.mySummary({ query: {} })).body.find((each) => each.payee_id === receiver);
const inStatement = async (id: string) =>
  (await shop.myStatement({ query: { month } })).body.movements.find((each) => each.id === id);

async function verify(receipt = ""): Promise<unknown> {
  const headers = { "content-type": "application/json", "x-cupo-request": "1" };
  const body = JSON.stringify({ receipt });
  return (await broker.fetch(`${ORIGIN}/v1/receipts/verify`, { method: "POST", headers, body })).json();
}

/** The statement as a file, as text. */
async function writtenStatement(accept: "text/csv" | "application/pdf"): Promise<string> {
  const headers = { ...ownPage(await broker.signIn("merchant")), accept };
  const written = await broker.fetch(`${ORIGIN}/v1/me/statement?month=${month}`, { headers });
  const bytes = new Uint8Array(await written.arrayBuffer());
  return accept === "text/csv" ? new TextDecoder().decode(bytes) : readPdfText(bytes).flat().join("\n");
}

describe("who sold a top-up", () => {
  it("sees the receiver's name covered in the history and the statement, in each of its forms", async () => {
    expect(await inHistory(sold)).toMatchObject({ kind: "recharge", direction: "sent", counterparty: COVERED });
    expect((await inStatement(sold))?.counterparty).toBe(COVERED);
    for (const accept of ["text/csv", "application/pdf"] as const) {
      const text = await writtenStatement(accept);
      expect(text).toContain(COVERED);
      expect(text).not.toContain("Ochoa");
    }
  });

  it("sees it covered on what the receiver gives back too, in history, statement and receipt", async () => {
    const given = await giveBack(await sellTo(receiver, 12), 5);
    const listed = await inHistory(given);
    expect(listed).toMatchObject({ kind: "refund", direction: "received", counterparty: COVERED, amount: 5 });
    expect((await inStatement(given))?.counterparty).toBe(COVERED);
    const names = { payer: COVERED, payee: "Café La Esquina" };
    expect(await verify(listed?.receipt)).toMatchObject({ kind: "refund", ...names });
  });

  it("sees it covered in the summary, until the receiver has paid the shop", async () => {
    expect(await inSummary()).toMatchObject({ payee: COVERED });
    const [paid, paying] = [broker.shop.id, receiver];
    await broker.entity.client.createTransaction({ body: { from_user_id: paid, to_user_id: paying, amount: 2 } });
    expect(await inSummary()).toMatchObject({ payee: COVERED });
    await broker.entity.client.createTransaction({ body: { from_user_id: paying, to_user_id: paid, amount: 1 } });
    await shop.myReceived({ query: {} });
    expect(await inSummary()).toMatchObject({ payee: NAME });
  });

  it("is named to the receiver, who knows the shop", async () => {
    const bought = await sellTo(broker.ben.id, 5);
    const ben = await broker.as("other");
    const received = (await ben.myReceived({ query: {} })).body.find((movement) => movement.id === bought);
    expect(received).toMatchObject({ direction: "received", counterparty: "Café La Esquina" });
  });
});
