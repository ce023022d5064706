import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { type Approval, personContract } from "../../../../src/contract/broker/broker.ts";
import { aBroker, ORIGIN, ownPage, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { paymentFaults } from "../../../../test/support/payment-faults.ts";
import { type Broker, createBroker } from "../../create-broker.ts";

/** The fate of calls that move money, on the way from the broker to the service and back. */
type Fate = "passes" | "is lost" | "loses its answer";

let broker: TestBroker;
/** Another process of the broker, on the same database, whose network a test may break. */
let frail: Broker;
let network: Server;
let fate: Fate = "passes";
let ana: PersonClient;
let anaOnFrail: PersonClient;
let shop: PersonClient;
let shopOnFrail: PersonClient;

const MOVING: readonly (string | undefined)[] = ["/create-ledger-transaction", "/reverse-transaction"];

async function aFrailNetwork(target: string): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const { url, method = "GET", headers } = incoming;
    const body = await text(incoming);
    const moves = MOVING.includes(url);
    if (moves && fate === "is lost") return response.destroy();
    const passed = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const init = { method, headers: passed, ...(method === "GET" ? {} : { body }) };
    const answer = await fetch(`${target}${url}`, init);
    if (moves && fate === "loses its answer") return response.destroy();
    const link = answer.headers.get("link");
    const answered = { "content-type": "application/json", ...(link === null ? {} : { link }) };
    return response.writeHead(answer.status, answered).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function onFrail(person: string): Promise<PersonClient> {
  const headers = { ...ownPage(await broker.signIn(person)), host: "localhost:4000" };
  return createClient(personContract, {
    baseUrl: ORIGIN,
    fetch: async (input, init) => frail.app.fetch(new Request(input, init)),
    headers: () => headers,
  });
}

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  const { upstream } = broker.options;
  network = await aFrailNetwork(upstream.baseUrl);
  const baseUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  frail = createBroker({ ...broker.options, upstream: { ...upstream, baseUrl } });
  [ana, anaOnFrail] = [await broker.as("payer"), await onFrail("payer")];
  [shop, shopOnFrail] = [await broker.as("merchant"), await onFrail("merchant")];
});
afterAll(async () => {
  await frail.close();
  network.close();
  network.closeAllConnections();
  await broker.stop();
});

async function handleOf(person: PersonClient, phone = broker.ben.phone): Promise<string> {
  return (await person.lookUp({ body: { phone } })).body.handle;
}

async function aTransfer(amount = 1_000, person = ana): Promise<Approval> {
  return (await person.openApproval({ body: { handle: await handleOf(person), amount, note: "rent" } })).body;
}

function confirm(person: PersonClient, { id, payee, amount }: Approval) {
  return person.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
}

async function confirmOnFrail(person: PersonClient, approval: Approval, how: Fate): Promise<Approval> {
  // Past the pause that calls make after failures in a row.
  broker.advance(3);
  fate = how;
  try {
    return (await confirm(person, approval)).body;
  } catch {
    return (await broker.sql<{ state: "running" }[]>`select state from broker.approvals where id = ${approval.id}`).map(
      ({ state }) => ({ ...approval, state }),
    )[0] as Approval;
  } finally {
    fate = "passes";
  }
}

async function asked(person: PersonClient, { id }: Approval): Promise<Approval> {
  return (await person.approval({ params: { id } })).body;
}

async function movedFor({ id }: Approval): Promise<number> {
  const rows = await broker.service.sql`
    select id from service.transfers where details ->> 'approval' = ${id}
    union all select id from service.transactions where details ->> 'approval' = ${id}`;
  return rows.length;
}

/** A payment of Ana's to the shop, made beside the broker. */
async function aReceivedPayment(amount = 1_000): Promise<string> {
  const body = { amount, from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

async function aRefund(paymentId: string, amount?: number, person = shop): Promise<Approval> {
  const body = { transaction_id: paymentId, ...(amount === undefined ? {} : { amount }) };
  return (await person.openApproval({ body })).body;
}

describe("a transfer", () => {
  it("shows the masked name and no codes, moves once, and knows the payee the next time", async () => {
    const approval = await aTransfer();
    expect(approval).toMatchObject({
      operation: "transfer",
      payee: "Ben R.",
      amount: 1_000,
      first_time_payee: true,
    });
    expect(Object.keys(approval)).not.toContain("check_code");
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(ana, approval)));
    expect(new Set(answers.map(({ body }) => `${body.state} ${body.transaction_id}`)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ state: "approved", quota_available: 499_000 });
    expect(await movedFor(approval)).toBe(1);
    expect((await aTransfer()).first_time_payee).toBe(false);
  });

  it("makes its look-up a fruitful one once money moved, and not before", async () => {
    const fruitful = async () =>
      (await broker.sql`select from broker.look_ups where sold_at is not null and account like 'person:%'`).length;
    const before = await fruitful();
    const approval = await aTransfer();
    await confirm(ana, await aTransfer(900_000));
    expect(await fruitful()).toBe(before);
    await confirm(ana, approval);
    expect(await fruitful()).toBe(before + 1);
  });

  it("is of whole units, to somebody else, and by a look-up of one's own that is still good", async () => {
    await expect(aTransfer(10.5)).rejects.toMatchObject({ code: "invalid_request", faults: [{ pointer: "/amount" }] });
    await expect(handleOf(ana, broker.ana.phone)).rejects.toMatchObject({ code: "not_allowed" });
    const theirs = await handleOf(shop);
    const stolen = ana.openApproval({ body: { handle: theirs, amount: 1 } });
    await expect(stolen).rejects.toMatchObject({ code: "look_up_expired" });
    broker.advance(301);
    const late = shop.openApproval({ body: { handle: theirs, amount: 1 } });
    await expect(late).rejects.toMatchObject({ code: "look_up_expired" });
  });

  it("of more than there is is rejected, and moves nothing", async () => {
    const { body } = await confirm(ana, await aTransfer(900_000));
    expect(body).toMatchObject({ state: "rejected", reason: "insufficient_balance" });
  });

  it("whose answer was lost is told and not sent again", async () => {
    const approval = await aTransfer(1_000, anaOnFrail);
    expect((await confirmOnFrail(anaOnFrail, approval, "loses its answer")).state).toBe("running");
    expect((await asked(ana, approval)).state).toBe("approved");
    expect(await movedFor(approval)).toBe(1);
  });

  it("whose answer was lost is found however late somebody asks, behind later ones", async () => {
    const approval = await aTransfer(1_000, anaOnFrail);
    await confirmOnFrail(anaOnFrail, approval, "loses its answer");
    broker.advance(3_600);
    await confirm(ana, await aTransfer());
    expect((await asked(ana, approval)).state).toBe("approved");
    expect(await movedFor(approval)).toBe(1);
  });

  it("that was lost on its way has failed only when it surely never went out", async () => {
    const approval = await aTransfer(1_000, anaOnFrail);
    await confirmOnFrail(anaOnFrail, approval, "is lost");
    broker.advance(61);
    expect(await asked(ana, approval)).toMatchObject({ state: "failed", reason: "not_carried_out" });
    expect(await movedFor(approval)).toBe(0);
  });
});

describe("a refund", () => {
  it("gives back a part and then the rest, to whoever paid, and nothing beyond that", async () => {
    const payment = await aReceivedPayment();
    const part = await aRefund(payment, 400);
    expect(part).toMatchObject({ operation: "refund", payee: "Ana Torres", amount: 400, first_time_payee: false });
    const both = [await aRefund(payment), await aRefund(payment)] as const;
    expect((await confirm(shop, part)).body.state).toBe("approved");
    // Opened when all was left: the service knows better by now.
    expect((await confirm(shop, both[0])).body).toMatchObject({ state: "failed", reason: "refund_too_large" });
    await expect(aRefund(payment, 601)).rejects.toMatchObject({
      code: "refund_too_large",
      detail: "Of this payment 600 COP is left to give back.",
    });
    const rest = await aRefund(payment);
    expect(rest.amount).toBe(600);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(shop, rest)));
    expect(new Set(answers.map(({ body }) => `${body.state} ${body.transaction_id}`)).size).toBe(1);
    expect(await movedFor(rest)).toBe(1);
    await expect(aRefund(payment)).rejects.toMatchObject({ code: "transaction_not_reversible" });
    expect((await confirm(shop, both[1])).body).toMatchObject({
      state: "failed",
      reason: "transaction_not_reversible",
    });
  });

  it("is of a payment that the person received: of any other there is nothing", async () => {
    const payment = await aReceivedPayment();
    for (const id of [payment, v7()]) {
      const detail = "You received no payment with this id.";
      await expect(aRefund(id, 1, ana)).rejects.toMatchObject({ code: "transaction_not_found", detail });
    }
    const refund = (await confirm(shop, await aRefund(payment, 1))).body.transaction_id ?? "";
    await expect(aRefund(refund, 1, ana)).rejects.toMatchObject({ code: "transaction_not_reversible" });
  });

  it("whose answer was lost is told, at once and however late, and given back once", async () => {
    const payment = await aReceivedPayment();
    const [soon, late] = [await aRefund(payment, 100, shopOnFrail), await aRefund(payment, 200, shopOnFrail)];
    for (const approval of [soon, late]) {
      expect((await confirmOnFrail(shopOnFrail, approval, "loses its answer")).state).toBe("running");
    }
    expect((await asked(shop, soon)).state).toBe("approved");
    broker.advance(3_600);
    expect((await asked(shop, late)).state).toBe("approved");
    expect([await movedFor(soon), await movedFor(late)]).toEqual([1, 1]);
    expect((await aRefund(payment)).amount).toBe(700);
    expect(await paymentFaults(broker.service.sql)).toEqual([]);
  });
});
