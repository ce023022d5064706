import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, ORIGIN, ownPage, type TestBroker } from "../../../../test/support/broker.ts";
import { bogota } from "../../../../test/support/business-days.ts";
import { readPdfText } from "../../../../test/support/read-pdf-text.ts";
import type { Statement } from "./statement.ts";

const NOON_MS = 12 * 3_600_000;

let broker: TestBroker;

beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

/** Moves both clocks on to the noon of a day. */
function goTo(day: string): void {
  broker.advance((bogota.startOf(day).getTime() + NOON_MS - broker.service.clock().getTime()) / 1000);
}

async function download(month: string, accept: string): Promise<Response> {
  const headers = { ...ownPage(await broker.signIn("payer")), accept };
  return broker.fetch(`${ORIGIN}/v1/me/statement?month=${month}&language=en`, { headers });
}

async function statementOf(month: string): Promise<Statement> {
  const response = await download(month, "application/json");
  expect(response.status).toBe(200);
  return (await response.json()) as Statement;
}

/** The figures of a statement in every form, but for the instant at which it was printed. */
async function printed(month: string) {
  const { as_of: _, ...figures } = await statementOf(month);
  const csv = Buffer.from(await (await download(month, "text/csv")).arrayBuffer());
  const pdf = readPdfText(new Uint8Array(await (await download(month, "application/pdf")).arrayBuffer()));
  return { figures, csv, pdf: pdf.flat().filter((text) => !text.startsWith("As of ")) };
}

async function pay(amount: number, status: "approved" | "pending" = "approved"): Promise<string> {
  const body = { from_user_id: broker.ana.id, to_user_id: broker.shop.id, amount, status };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

async function assign(amount: string, loanType: string): Promise<void> {
  const paymentDate = bogota.dayOf(broker.service.clock());
  const body = { id: broker.ana.id, amount, loan_type: loanType, payment_date: paymentDate };
  await broker.entity.client.addQuota({ body });
}

async function transfer(from: string, to: string, amount: number): Promise<void> {
  await broker.entity.client.createLedgerTransaction({ body: { from_user_id: from, to_user_id: to, amount } });
}

/** Closes a month and those before it, as the service does by itself. */
async function closeMonth(month: string): Promise<void> {
  await broker.entity.client.closeMonth({ body: { month } });
}

const amountsOf = ({ movements }: Statement) => movements.map(({ kind, amount }) => [kind, amount]);

describe("a September with a payment held on its last day and settled in October", () => {
  let held: string;
  let onItsLastDay: Statement;

  beforeAll(async () => {
    goTo("2029-09-28");
    await pay(100);
    await assign("500000", "default");
    goTo("2029-09-30");
    held = await pay(12_000, "pending");
    onItsLastDay = await statementOf("2029-09");
  });

  it("has the credit and the payment that was settled, and not the one that was held", () => {
    expect(onItsLastDay).toMatchObject({ final: false, opening_balance: 500_000, closing_balance: 999_900 });
    expect(onItsLastDay).toMatchObject({ money_in: 500_000, money_out: 100 });
    expect(amountsOf(onItsLastDay)).toEqual([
      ["payment", -100],
      ["credit", 500_000],
    ]);
  });

  it("is printed once its books are closed, and until then asked to be waited for", async () => {
    goTo("2029-10-03");
    await broker.entity.client.settleTransaction({ body: { id: held, status: "approved" } });
    const early = await download("2029-09", "application/pdf");
    expect([early.status, (await early.json()).code]).toEqual([503, "month_not_closed"]);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
    await closeMonth("2029-09");
    const { as_of: _, final, ...figures } = await statementOf("2029-09");
    const { as_of: __, final: ___, ...before } = onItsLastDay;
    expect([final, figures]).toEqual([true, before]);
  });

  it("is followed by an October that opens with its balance and has the payment where it was settled", async () => {
    const october = await statementOf("2029-10");
    expect(october).toMatchObject({ final: false, opening_balance: 999_900, closing_balance: 987_900 });
    expect(october.movements).toMatchObject([{ id: held, day: "2029-10-03", kind: "payment", amount: -12_000 }]);
  });

  it("is the same in every form when it is printed again, after a refund and months", async () => {
    const first = await printed("2029-09");
    expect(first.csv.toString("utf8")).toContain("2029-09-30,,,Closing balance,,,COP,999900,,");
    expect(first.pdf).toContain("Closing balance");
    const [payment] = onItsLastDay.movements;
    await broker.entity.client.reverseTransaction({ body: { id: payment?.id ?? "" } });
    goTo("2029-12-24");
    await closeMonth("2029-11");
    expect(await printed("2029-09")).toEqual(first);
    expect((await statementOf("2029-10")).movements.at(-1)).toMatchObject({ kind: "refund", amount: 100 });
  });
});

it("a statement names deposits, transfers both ways, repayments and pay-outs, and the balance after each", async () => {
  goTo("2030-02-10");
  const { client } = broker.entity;
  await assign("20000", "deposit");
  await transfer(broker.ana.id, broker.ben.id, 300);
  await transfer(broker.ben.id, broker.ana.id, 50);
  await client.repayCredit({ body: { id: broker.ana.id, amount: "900000", source: "quota" } });
  await client.dischargeQuota({ body: { id: broker.ana.id, amount: "107750" } });
  await assign("20", "default");
  const statement = await statementOf("2030-02");
  expect(statement).toMatchObject({ opening_balance: 988_000, closing_balance: 20 });
  expect(statement).toMatchObject({ money_in: 20_070, money_out: 1_008_050 });
  expect(statement.movements.map(({ kind, amount, balance_after }) => [kind, amount, balance_after])).toEqual([
    ["deposit", 20_000, 1_008_000],
    ["transfer", -300, 1_007_700],
    ["transfer", 50, 1_007_750],
    ["repayment", -900_000, 107_750],
    ["repayment", -100_000, 7_750],
    ["payout", -7_750, 0],
    ["credit", 20, 20],
  ]);
  expect(statement.movements.slice(1, 3).map(({ counterparty }) => counterparty)).toEqual(["Ben Ruiz", "Ben Ruiz"]);
});
