import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Movement } from "../../../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, ownPage, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { bogota } from "../../../../test/support/business-days.ts";
import { readPdfText } from "../../../../test/support/read-pdf-text.ts";
import { aUser } from "../../../../test/support/service.ts";

let broker: TestBroker;
let ana: PersonClient;
let ben: PersonClient;
let shop: PersonClient;
let cookie: string;
/** Ana's payments by what they were for. */
const paid: Record<string, string> = {};
let month: string;

async function pay(amount: number, to = broker.shop, note?: string): Promise<string> {
  const details = note === undefined ? {} : { details: { note } };
  const body = { from_user_id: broker.ana.id, to_user_id: to.id, amount, ...details };
  return (await broker.entity.client.createTransaction({ body }, { idempotencyKey: v7() })).body.id;
}

async function refund(id: string, amount?: number): Promise<string> {
  const body = { id, ...(amount === undefined ? {} : { amount }) };
  return (await broker.entity.client.reverseTransaction({ body }, { idempotencyKey: v7() })).body.id;
}

async function transfer(from: string, to: string, amount: number): Promise<string> {
  const body = { from_user_id: from, to_user_id: to, amount, details: { note: "rent" } };
  const { body: made } = await broker.entity.client.createLedgerTransaction({ body }, { idempotencyKey: v7() });
  return made[0]?.id ?? "";
}

beforeAll(async () => {
  broker = await aBroker();
  const formula = await aUser(broker.entity, { name: "=HYPERLINK(A1)" });
  paid.whole = await pay(25_000.5, broker.shop, "lunch");
  paid.part = await pay(10_000);
  paid.formula = await pay(300, formula, "+1");
  await broker.entity.client.updateUser({ body: { id: formula.id, bussines_name: "Kiosko" } });
  paid.rejected = await pay(9_000_000);
  paid.wholeRefund = await refund(paid.whole);
  paid.partRefund = await refund(paid.part, 4_000);
  paid.transfer = await transfer(broker.ana.id, broker.ben.id, 7_000);
  paid.poor = await transfer(broker.ben.id, broker.ana.id, 9_000_000);
  [ana, ben, shop] = [await broker.as("payer"), await broker.as("other"), await broker.as("merchant")];
  cookie = await broker.signIn("payer");
  month = bogota.dayOf(broker.options.clock()).slice(0, 7);
});
afterAll(() => broker.stop());

/** A top-up that the shop sells. */
async function sellTo(to: string, amount: number): Promise<string> {
  const body = { from_user_id: broker.shop.id, to_user_id: to, amount };
  return (await broker.entity.client.createRechargeTransaction({ body }, { idempotencyKey: v7() })).body.id;
}

async function history(): Promise<Map<string, Movement>> {
  const { body } = await ana.myHistory({ query: {} });
  return new Map(body.map((movement) => [movement.id, movement]));
}

async function verify(receipt: string, address?: string): Promise<Response> {
  return broker.fetch(`${ORIGIN}/v1/receipts/verify`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-cupo-request": "1", ...(address && { "x-real-ip": address }) },
    body: JSON.stringify({ receipt }),
  });
}

describe("a person's lists", () => {
  it("give money that moved a receipt and a code, the same to both parties, and what did not move none", async () => {
    const own = await history();
    const received = (await shop.myReceived({ query: {} })).body.find(({ id }) => id === paid.part);
    const sent = own.get(paid.part ?? "");
    expect(sent?.check_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect([received?.receipt, received?.check_code]).toEqual([sent?.receipt, sent?.check_code]);
    const rejected = own.get(paid.rejected ?? "");
    expect([rejected?.status, rejected?.receipt, rejected?.check_code]).toEqual(["rejected", undefined, undefined]);
  });

  it("name the payment that a refund gives back", async () => {
    expect((await history()).get(paid.partRefund ?? "")).toMatchObject({
      ...{ kind: "refund", reverses: paid.part, direction: "received", amount: 4_000 },
      counterparty: "Café La Esquina",
    });
  });

  it("come with a token that asks for what changed since, the oldest change first", async () => {
    const lists = [
      (query: object) => ana.myHistory({ query: { direction: "all", ...query } }),
      (query: object) => ana.myTransfers({ query }),
      (query: object) => shop.myReceived({ query }),
    ];
    const tokens = await Promise.all(lists.map(async (list) => (await list({})).syncToken));
    const [payment, moved] = [await pay(111), await transfer(broker.ana.id, broker.ben.id, 11)];
    const news = await Promise.all(
      lists.map(async (list, index) => (await list({ "changed-since": tokens[index] })).body.at(-1)?.id),
    );
    expect(news).toEqual([payment, moved, payment]);
    for (const list of lists) {
      await expect(list({ "changed-since": "nonsense" })).rejects.toMatchObject({ code: "invalid_sync_token" });
    }
  });

  it("tell the sender of a transfer what the look-up told of the name, and the receiver who sent it", async () => {
    const sent = (await ana.myTransfers({ query: {} })).body.find(({ id }) => id === paid.transfer);
    expect(sent).toMatchObject({ kind: "transfer", direction: "sent", counterparty: "Ben R.", note: "rent" });
    const { body } = await ben.myTransfers({ query: {} });
    const received = body.find(({ id }) => id === paid.transfer);
    expect(received).toMatchObject({ direction: "received", counterparty: "Ana Torres", amount: 7_000 });
    expect(received?.receipt).toBe(sent?.receipt);
  });

  it("keep a transfer that the sender could not afford from the receiver", async () => {
    const [own] = (await ben.myTransfers({ query: {} })).body.filter(({ id }) => id === paid.poor);
    expect(own).toMatchObject({ status: "rejected", reason: "insufficient_balance" });
    expect((await ana.myTransfers({ query: {} })).body.map(({ id }) => id)).not.toContain(paid.poor);
  });

  it("ask for each name once, however many transfers there are", async () => {
    const asked = (): number => broker.asked.filter((path) => path === "/user").length;
    await ben.myTransfers({ query: {} });
    const { id } = await aUser(broker.entity, { name: "Carla Peña" });
    for (let count = 0; count < 3; count++) await transfer(broker.ben.id, id, 5);
    const before = asked();
    const { body } = await ben.myTransfers({ query: {} });
    await ben.myTransfers({ query: {} });
    expect(body.slice(0, 3).map(({ counterparty }) => counterparty)).toEqual(["Carla P.", "Carla P.", "Carla P."]);
    expect(asked() - before).toBe(1);
  });
});

describe("a person's summary", () => {
  it("has what was paid to each less what came back, exactly, and goes on where a page ends", async () => {
    const first = await ana.mySummary({ query: { limit: "1" } });
    const rest = await ana.mySummary({ query: { ...(first.nextCursor && { cursor: first.nextCursor }) } });
    const all = [...first.body, ...rest.body];
    expect(first.body).toHaveLength(1);
    expect(all.map(({ payee, total, payments }) => ({ payee, total, payments }))).toEqual([
      { payee: "Kiosko", total: 300, payments: 1 },
      { payee: "Café La Esquina", total: 6_111, payments: 3 },
    ]);
  });
});

async function statement(accept: string, query = `month=${month}`): Promise<Response> {
  return broker.fetch(`${ORIGIN}/v1/me/statement?${query}`, { headers: { ...ownPage(cookie), accept } });
}

describe("a person's statement", () => {
  it("has what moved the balance, oldest first, and its totals", async () => {
    const { body } = await ana.myStatement({ query: { month } });
    const own = body.movements.map(({ id }) => id).filter((id) => Object.values(paid).includes(id));
    const { whole, part, formula, wholeRefund, partRefund, transfer: moved } = paid;
    expect(own).toEqual([whole, part, formula, wholeRefund, partRefund, moved]);
    expect(body).toMatchObject({
      month,
      name: "Ana Torres",
      final: false,
      opening_balance: 0,
      closing_balance: 486_578,
    });
    // The credit that the account began with, and the refunds; whole, part, another, a transfer and the tests before.
    expect([body.money_in, body.money_out]).toEqual([529_000.5, 42_422.5]);
    expect(body.movements[0]).toMatchObject({ kind: "credit", amount: 500_000, balance_after: 500_000 });
  });

  it("has nothing of another month, and refuses one that has not begun", async () => {
    const { body } = await ana.myStatement({ query: { month: "2020-02" } });
    expect(body).toMatchObject({ movements: [], money_in: 0, money_out: 0, opening_balance: 0, closing_balance: 0 });
    const refused = await statement("application/json", "month=2999-12");
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ parameter: "month" }] }]);
  });

  it("is a file for spreadsheets that runs no formula of a name or note, with accents as Excel reads", async () => {
    const response = await statement("text/csv", `month=${month}&language=es`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="cupo-${month}.csv"`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split("\r\n");
    expect(lines[0]).toBe("Día,Hora,Con quién,Tipo,Referencia,Monto,Moneda,Cupo después,Nota,ID");
    const line = lines.find((it) => it.endsWith(paid.formula ?? ""));
    expect(line).toMatch(/^\d{4}-\d{2}-\d{2},\d{2}:\d{2}:\d{2},'=HYPERLINK\(A1\),Pago,\w{13},-300,COP,[\d.]+,'\+1,/);
    expect(lines.find((it) => it.endsWith(paid.whole ?? ""))).toContain(",Café La Esquina,Pago,");
  });

  it("is a paper with name, month, totals and each movement, in the language asked for", async () => {
    const response = await statement("application/pdf", `month=${month}&language=pt`);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="cupo-${month}.pdf"`);
    const [page = [], ...others] = readPdfText(new Uint8Array(await response.arrayBuffer()));
    const text = page.join("\n").replaceAll("\u00a0", " ");
    expect(others).toEqual([]);
    for (const shown of [
      ...["Extrato mensal", "Ana Torres", "Entradas\nCOP 529.000,50", "Saídas\nCOP 42.422,50"],
      ...["Saldo inicial\nCOP 0", "Saldo até agora\nCOP 486.578", "Crédito"],
      ...["Café La Esquina\n−COP 25.000,50", "Café La Esquina\n+COP 4.000", "Ben R.\n−COP 7.000", "Página 1 de 1"],
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain("9.000.000");
  });
});

describe("the limits of statements", () => {
  it("make one at a time for a person, whichever form, and the next once that one is done", async () => {
    const all = await Promise.all(["application/pdf", "text/csv", "application/json"].map((form) => statement(form)));
    const refused = all.find(({ status }) => status === 429);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await statement("text/csv")).status).toBe(200);
  });

  it("end somebody's questions after twenty a minute, and nobody else's", async () => {
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 30) {
      statuses.push((await statement("application/json", "month=2020-02")).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await ben.myStatement({ query: { month: "2020-02" } })).status).toBe(200);
  });
});

it("the audit keeps at most twenty new names of a person's devices in a minute", async () => {
  const rename = () => ana.renameDevice({ params: { id: v7() }, body: { name: "Phone" } });
  for (let count = 0; count < 20; count++) await expect(rename()).rejects.toMatchObject({ code: "not_found" });
  await expect(Promise.all([rename(), rename(), rename()])).rejects.toMatchObject({ code: "too_many_requests" });
});

describe("a receipt that somebody shows", () => {
  const receiptOf = async (id = ""): Promise<string> => {
    const own = [...(await history()).values(), ...(await ana.myTransfers({ query: {} })).body];
    return own.find((movement) => movement.id === id)?.receipt ?? "";
  };

  it("tells everybody its own facts with the payer's name covered, its present state, and nothing else", async () => {
    const own = (await history()).get(paid.part ?? "");
    const { id: _, direction: __, balance_after: ___, receipt = "", ...others } = own as Movement;
    const { counterparty: ____, counterparty_id: _____, ...facts } = others;
    const response = await verify(receipt);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...facts,
      ...{ payer: "Ana T.", payee: "Café La Esquina", status: "approved", reversed_amount: 4_000 },
    });
  });

  it("says that it was all given back, once it was", async () => {
    const found = await (await verify(await receiptOf(paid.whole))).json();
    expect(found).toMatchObject({ status: "reversed", amount: 25_000.5, reversed_amount: 25_000.5 });
    expect(JSON.stringify(found)).not.toMatch(/lunch|Ana Torres/);
  });

  it("covers the person of a refund and both of a transfer, who show their names to nobody", async () => {
    expect(await (await verify(await receiptOf(paid.partRefund))).json()).toMatchObject({
      ...{ kind: "refund", payer: "Café La Esquina", payee: "Ana T.", status: "approved" },
    });
    expect(await (await verify(await receiptOf(paid.transfer))).json()).toMatchObject({
      ...{ kind: "transfer", payer: "Ana T.", payee: "Ben R.", amount: 7_000, status: "approved" },
    });
  });

  it("covers the person of a top-up, for its till saw the name covered too", async () => {
    const id = await sellTo(broker.ben.id, 20);
    const sold = (await shop.myHistory({ query: {} })).body.find((movement) => movement.id === id);
    expect(await (await verify(sold?.receipt ?? "")).json()).toMatchObject({
      ...{ kind: "recharge", payer: "Café La Esquina", payee: "Ben R." },
    });
  });

  it("is refused when it is altered, without a question to the service", async () => {
    const receipt = await receiptOf(paid.part);
    const asked = broker.asked.length;
    for (const altered of [`${receipt}A`, receipt.replace(/^./, "Q"), "nonsense", receipt.slice(0, -1)]) {
      const response = await verify(altered);
      expect([response.status, await response.json()]).toMatchObject([404, { code: "receipt_not_authentic" }]);
    }
    expect(broker.asked.length).toBe(asked);
  });

  it("cannot be guessed at: one address asks thirty times a minute", async () => {
    const answers: number[] = [];
    while (!answers.includes(429) && answers.length < 40) answers.push((await verify("nonsense")).status);
    expect(answers.at(-1)).toBe(429);
  });
});
