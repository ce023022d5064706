import { createECDH } from "node:crypto";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokerContract } from "../../src/contract/broker.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { aBroker, anOrder, ORIGIN, ownPage, type PersonClient, type TestBroker } from "../../test/support/broker.ts";
import { aPasskeyDevice } from "../../test/support/passkey-device.ts";
import { policyAnswers } from "../../test/support/policy-answers.ts";
import { anotherOperator } from "../../test/support/second-operator.ts";
import { policy, streamPolicy } from "./policy.ts";
import { createOpaqueToken, hashToken } from "./principals/opaque-token.ts";
import type { PrincipalKind } from "./principals/principal.ts";

type OperationName = keyof typeof brokerContract;
type Foreign = "approvalId" | "sessionId" | "reference" | "payload" | "grantId" | "handle" | "deviceId" | "signInId";

let broker: TestBroker;
let ben: PersonClient;
/** What belongs to a second user or another merchant, as a stranger would put it into a request. */
let theirs: Record<Foreign, string>;
/** The merchant that some of the credentials are of. */
let otherMerchantId: string;
let credentials: Record<PrincipalKind, Record<string, string>>;
/** A third person, who is frozen last; an operator lifts that. */
let freezing: Record<string, string>;

async function otherMerchant(): Promise<string> {
  const { random } = broker.options;
  const [id, token] = [v7(), createOpaqueToken("sk_", random)];
  otherMerchantId = id;
  const publishable = createOpaqueToken("pk_", random);
  const at = new Date();
  await broker.sql`insert into broker.merchants (id, user_id, name, first_party, sells_top_ups, created_at)
    values (${id}, ${broker.ana.id}, 'Other shop', true, true, ${at})`;
  await broker.sql`insert into broker.merchant_origins (merchant_id, origin) values (${id}, 'https://other.example')`;
  await broker.sql`insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at)
    values (${hashToken(token)}, ${id}, 'server', ${at}), (${hashToken(publishable)}, ${id}, 'publishable', ${at})`;
  return `${token} ${publishable}`;
}

/** A session of the other kinds, of the other merchant. */
async function aSession(kind: "recharge" | "quota"): Promise<string> {
  const [id, token, at] = [v7(), createOpaqueToken("ws_", broker.options.random), new Date()];
  const subject = kind === "quota" ? broker.ana.id : null;
  await broker.sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
      expires_at, shown_until, created_at, subject_user_id)
    select ${id}, ${hashToken(token)}, ${new Uint8Array(32)}, id, ${kind}, 'https://other.example', 1,
      ${new Uint8Array(32)}, ${new Date(at.getTime() + 900_000)}, ${new Date(at.getTime() + 900_000)}, ${at}, ${subject}
    from broker.merchants where name = 'Other shop'`;
  return token;
}

/** A look-up of the second user by a till of the first merchant. */
async function aHandle(): Promise<string> {
  const body = { kind: "recharge" as const, origin: "https://shop.example", max_amount: 50_000 };
  const { session } = (await broker.merchant.createSession({ body })).body;
  return (await broker.till(session).lookUp({ body: { phone: broker.ben.phone } })).body.handle;
}

beforeAll(async () => {
  broker = await aBroker();
  // To whom the codes of links are shown.
  await anotherOperator(broker, "clerk");
  ben = await broker.as("other");
  const session = await anOrder(broker);
  const { body: shown } = await broker.widget(session.session).widgetSession({});
  const { body: approval } = await ben.openApproval({ body: { payload: shown.payload } });
  theirs = {
    approvalId: approval.id,
    sessionId: session.session_id,
    reference: session.reference,
    payload: shown.payload,
    grantId: "",
    handle: await aHandle(),
    deviceId: (await aPasskeyDevice(broker, "other")).passkeyId,
    signInId: (await ben.mySessions({})).body[0]?.id ?? "",
  };
  const [server = "", publishable = ""] = (await otherMerchant()).split(" ");
  theirs.grantId = (await ben.createGrant({ body: { merchant_id: otherMerchantId, proof: { demo: true } } })).body.id;
  const widget = await anOrder(broker);
  freezing = ownPage(await broker.signIn("merchant"));
  credentials = {
    person: ownPage(await broker.signIn("payer")),
    operator: ownPage(await broker.signIn("operator")),
    merchant: { authorization: `Bearer ${server}` },
    publishable: { authorization: `Bearer ${publishable}` },
    paySession: { authorization: `Bearer ${widget.session}` },
    rechargeSession: { authorization: `Bearer ${await aSession("recharge")}` },
    quotaSession: { authorization: `Bearer ${await aSession("quota")}` },
    visitor: {},
  };
});
afterAll(() => broker.stop());

/** One that no push service has, so that nothing is sent there. */
const PUSH_ENDPOINT = "http://push.example/theirs";
const PUSH_KEYS = { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: "A".repeat(22) };
const UNKNOWN_LINK = `en_${"A".repeat(43)}`;

/** Operations on one enrolment or merchant, whose id is one of another thing here. */
function operatorPaths(id: string): Partial<Record<OperationName, string>> {
  return {
    changeMerchant: `/v1/operator/merchants/${id}`,
    rotateMerchantKey: `/v1/operator/merchants/${id}/rotate`,
    disableMerchant: `/v1/operator/merchants/${id}/disable`,
    agreeToMerchantChange: `/v1/operator/merchant-changes/${id}/agree`,
    withdrawMerchantChange: `/v1/operator/merchant-changes/${id}/withdraw`,
    showEnrolmentCode: `/v1/operator/enrolments/${id}/code`,
    agreeToEnrolment: `/v1/operator/enrolments/${id}/agree`,
    withdrawEnrolment: `/v1/operator/enrolments/${id}/withdraw`,
    freezePerson: `/v1/operator/people/${broker.shop.id}/freeze`,
    unfreezePerson: `/v1/operator/people/${broker.shop.id}/unfreeze`,
  };
}

/** Requests that name the second user's things wherever a request can name anything. */
function foreignRequest(name: OperationName): { path: string; body?: object } {
  const { approvalId, sessionId, reference, payload, grantId, handle, deviceId, signInId } = theirs;
  const path: Partial<Record<OperationName, string>> = {
    sessionStatus: `/v1/sessions/${sessionId}`,
    cancelSession: `/v1/sessions/${sessionId}/cancel`,
    confirmApproval: `/v1/approvals/${approvalId}/confirm`,
    approval: `/v1/approvals/${approvalId}`,
    myQr: `/v1/me/qr?reference=${reference}`,
    grantRequest: `/v1/me/grants/request?merchant=${otherMerchantId}`,
    revokeGrant: `/v1/me/grants/${grantId}/revoke`,
    agreeToSelling: `/v1/me/selling-requests/${approvalId}/agree`,
    refuseSelling: `/v1/me/selling-requests/${approvalId}/refuse`,
    myStatement: "/v1/me/statement?month=2026-03",
    ...operatorPaths(approvalId),
    renameDevice: `/v1/me/devices/${deviceId}/rename`,
    removeDevice: `/v1/me/devices/${deviceId}/remove`,
    endMySession: `/v1/me/sessions/${signInId}/end`,
  };
  const body: Partial<Record<OperationName, object>> = {
    createSession: { kind: "pay", amount: 25_000, origin: "https://shop.example", order: "theirs" },
    createScan: { payload },
    openApproval: { payload },
    confirmApproval: { payee: "Café La Esquina", amount: 25_000, reference, demo: true },
    createMyQr: {},
    lookUp: { phone: broker.ben.phone },
    createRecharge: { handle, amount: 1_000 },
    agreeToSelling: { credential: {} },
    createGrant: { merchant_id: otherMerchantId, proof: { demo: true } },
    createMerchant: { name: "Third shop", user_id: broker.ana.id },
    changeMerchant: { name: "Mine" },
    rotateMerchantKey: { kind: "server" },
    demoSignIn: { person: "payer" },
    startMyPush: { endpoint: PUSH_ENDPOINT, keys: PUSH_KEYS, language: "es" },
    endMyPush: { endpoint: PUSH_ENDPOINT },
    startProof: { purpose: "remove_device" },
    inviteDevice: { proof: { demo: true } },
    renameDevice: { name: "Mine" },
    removeDevice: { proof: { demo: true } },
    createEnrolment: { user_id: broker.ana.id },
    enrolment: { secret: UNKNOWN_LINK },
    startEnrolment: { secret: UNKNOWN_LINK, code: "000000" },
    finishEnrolment: { secret: UNKNOWN_LINK, code: "000000", credential: {}, device: "Mine" },
    signIn: { credential: {} },
    putMyLimits: {},
    verifyReceipt: { receipt: "theirs" },
  };
  const row: Operation = brokerContract[name];
  return { path: path[name] ?? row.path, ...(body[name] === undefined ? {} : { body: body[name] }) };
}

async function ask(kind: PrincipalKind, name: OperationName): Promise<{ status: number; text: string }> {
  const { path, body } = foreignRequest(name);
  const row: Operation = brokerContract[name];
  const response = await broker.fetch(`${ORIGIN}${path}`, {
    method: row.method,
    headers: {
      "x-cupo-request": "1",
      ...(kind === "person" && name === "freezeMe" ? freezing : credentials[kind]),
      ...(name === "createRecharge" ? { "idempotency-key": "theirs" } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const kinds = Object.keys(policy) as PrincipalKind[];
/** Each ends the session of the cookie that came along, so they are asked last. */
const ending: readonly OperationName[] = ["freezeMe", "signOut", "demoSignIn"];
const names = [...(Object.keys(brokerContract) as OperationName[]).filter((name) => !ending.includes(name)), ...ending];
const openToAll = names.filter((name) => (brokerContract[name] as Operation).access === "none");

describe("the policy", () => {
  it("is walked whole: the expectations name exactly the pairs that the table grants", () => {
    const pairs = kinds.flatMap((kind) => Object.keys(policy[kind]).map((name) => `${kind} ${name}`));
    expect(pairs.sort()).toEqual(Object.keys(policyAnswers).sort());
  });

  // Plain routes and no rows, but whose they are stands beside the table; asked before anybody signs out.
  for (const [path, owner] of Object.entries(streamPolicy)) {
    for (const kind of kinds) {
      const expected = kind === owner ? 200 : kind === "visitor" ? 401 : 404;
      it(`answers ${expected} to ${kind} × ${path}`, async () => {
        const headers = { "x-cupo-request": "1", ...credentials[kind] };
        const response = await broker.fetch(`${ORIGIN}${path}`, { headers });
        await response.body?.cancel();
        expect(response.status).toBe(expected);
      });
    }
  }

  for (const kind of kinds) {
    for (const name of names) {
      const pair = `${kind} ${name}`;
      // A row without access has no principal: whoever calls it is a visitor there.
      const granted = policyAnswers[openToAll.includes(name) ? `visitor ${name}` : pair];
      const expected = granted ?? (kind === "visitor" ? 401 : 404);
      it(`answers ${expected} to ${kind} × ${name} with a second user's ids, and nothing of that user`, async () => {
        const { status, text } = await ask(kind, name);
        expect({ pair, status, text: status === expected ? "" : text }).toEqual({ pair, status: expected, text: "" });
        expect(text).not.toContain(broker.ben.id);
        expect(text).not.toContain("Ben Ruiz");
      });
    }
  }

  it("left the second user's approval, session and money as they were", async () => {
    expect((await ben.approval({ params: { id: theirs.approvalId } })).body.state).toBe("open");
    const { body } = await broker.merchant.sessionStatus({ params: { session_id: theirs.sessionId } });
    expect(body.state).toBe("unpaid");
    expect((await ben.me({})).body.quota_available).toBe(500_000);
  });
});

describe("a person's history", () => {
  it("has the own balance, and neither the other party's balance nor why the other was rejected", async () => {
    const ana = await broker.as("payer");
    const shop = await broker.as("merchant");
    for (const amount of [1_000, 900_000]) {
      const session = await anOrder(broker, { amount });
      const { payload } = (await broker.widget(session.session).widgetSession({})).body;
      const { body: approval } = await ana.openApproval({ body: { payload, note: "gracias" } });
      const { id, payee, reference = "" } = approval;
      await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    }
    const [rejected, paid] = (await ana.myHistory({ query: {} })).body;
    expect(paid).toMatchObject({ direction: "sent", counterparty: "Café La Esquina", balance_after: 499_000 });
    expect(paid?.note).toBe("gracias");
    expect(rejected).toMatchObject({ status: "rejected", reason: "insufficient_balance" });
    const [refused, received] = (await shop.myHistory({ query: {} })).body;
    expect(received).toMatchObject({ direction: "received", counterparty: "Ana Torres", balance_after: 1_000 });
    expect(refused).toMatchObject({ status: "rejected", direction: "received" });
    expect(JSON.stringify([refused, received])).not.toMatch(/insufficient_balance|499000|500000/);
    expect((await shop.myReceived({ query: {} })).body.map(({ id }) => id)).toEqual([received?.id]);
  });

  it("comes in pages that join without a gap", async () => {
    const ana = await broker.as("payer");
    const all = (await ana.myHistory({ query: {} })).body.map(({ id }) => id);
    const first = await ana.myHistory({ query: { limit: "1" } });
    const rest = await ana.myHistory({
      query: { limit: "500", ...(first.nextCursor && { cursor: first.nextCursor }) },
    });
    expect([...first.body, ...rest.body].map(({ id }) => id)).toEqual(all);
    const other = await broker.as("other");
    await expect(other.myHistory({ query: { cursor: "nonsense" } })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});
