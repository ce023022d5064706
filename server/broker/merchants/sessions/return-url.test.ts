import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { BodyOf } from "../../../../src/contract/shared/operation.ts";
import { aBroker, type PersonClient, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";

type Body = BodyOf<BrokerContract["createSession"]>;

const RETURN = `${SHOP_ORIGIN}/gracias?pedido=7&state=mine`;

let broker: TestBroker;
let ana: PersonClient;
let ben: PersonClient;
beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
  ben = await broker.as("other");
});
afterAll(() => broker.stop());

async function started(fields: Partial<Body> = {}) {
  const body: Body = { kind: "pay", amount: 2_500, origin: SHOP_ORIGIN, return_url: RETURN, ...fields };
  const { session, session_id } = (await broker.merchant.createSession({ body })).body;
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  return { session_id, payload };
}

async function open(payload: string) {
  return (await ana.openApproval({ body: { payload } })).body;
}

async function pay(payload: string) {
  const { id, payee, amount, reference = "" } = await open(payload);
  return (await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } })).body;
}

async function scanned(payload: string, person = ana): Promise<string | undefined> {
  return (await person.createScan({ body: { payload } })).body.return_url;
}

/** The address that a payer is led to, of a session and a state. */
function backTo({ session_id }: { readonly session_id: string }, state: string): string {
  const url = new URL(RETURN);
  url.searchParams.set("session_id", session_id);
  url.searchParams.set("state", state);
  return url.href;
}

describe("the return address of a session", () => {
  it("comes back to its merchant as it was sent, in the session and in the list", async () => {
    const { session_id } = await started();
    expect((await broker.merchant.sessionStatus({ params: { session_id } })).body.return_url).toBe(RETURN);
    const [newest] = (await broker.merchant.sessions({ query: { limit: "1" } })).body;
    expect(newest).toMatchObject({ session_id, return_url: RETURN });
  });

  it("leads back with the session and its state in the query, whatever the merchant had put there", async () => {
    const session = await started();
    expect((await open(session.payload)).return_url).toBe(backTo(session, "cancelled"));
    expect(await scanned(session.payload)).toBe(backTo(session, "cancelled"));
    expect((await pay(session.payload)).return_url).toBe(backTo(session, "paid"));
    expect(await scanned(session.payload)).toBe(backTo(session, "paid"));
  });

  it("tells a code that was withdrawn from one that expired", async () => {
    const [withdrawn, expired] = [await started(), await started({ expires_in: 30 })];
    await broker.merchant.cancelSession({ params: { session_id: withdrawn.session_id } });
    broker.advance(31);
    expect(await scanned(withdrawn.payload)).toBe(backTo(withdrawn, "cancelled"));
    expect(await scanned(expired.payload)).toBe(backTo(expired, "expired"));
  });

  it("is told of a paid code to nobody but the one who paid it", async () => {
    const { payload } = await started();
    await pay(payload);
    expect(await scanned(payload, ben)).toBeUndefined();
  });

  it("is offered no more once its origin is taken off the list, and again once it is back", async () => {
    const session = await started();
    await broker.sql`delete from broker.merchant_origins where origin = ${SHOP_ORIGIN}`;
    expect(await scanned(session.payload)).toBeUndefined();
    expect(await open(session.payload)).not.toHaveProperty("return_url");
    expect(await pay(session.payload)).not.toHaveProperty("return_url");
    await broker.sql`
      insert into broker.merchant_origins (merchant_id, origin) select id, ${SHOP_ORIGIN} from broker.merchants`;
    expect(await scanned(session.payload)).toBe(backTo(session, "paid"));
  });

  it.each([
    ["on an origin that is not listed", "https://shop.example.evil.example/"],
    ["on another port", "https://shop.example:8443/"],
    ["over http", "http://shop.example/"],
    ["that is a script", "javascript:alert(1)"],
    ["with a user in it", "https://shop.example@evil.example/"],
    ["with a password", "https://ana:secret@shop.example/"],
    ["without a scheme", "//shop.example/"],
    ["of more than 1000 characters", `${SHOP_ORIGIN}/${"a".repeat(1_000)}`],
  ])("%s is refused, and the fault names the field", async (_name, return_url) => {
    const faults = [{ pointer: "/return_url" }];
    await expect(started({ return_url })).rejects.toMatchObject({ code: "invalid_request", faults });
  });

  it("belongs to payments", async () => {
    const body: Body = { kind: "recharge", max_amount: 5, origin: SHOP_ORIGIN, return_url: RETURN };
    const refused = broker.merchant.createSession({ body });
    await expect(refused).rejects.toMatchObject({ faults: [{ pointer: "/return_url" }] });
  });
});
