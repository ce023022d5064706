import { createECDH } from "node:crypto";
import { v7 } from "uuid";
import { createOpaqueToken, hashToken } from "../../server/broker/access/opaque-token.ts";
import type { PrincipalKind } from "../../server/broker/access/principal.ts";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { aBroker, anOrder, type BrokerChanges, ORIGIN, ownPage, type PersonClient, type TestBroker } from "./broker.ts";
import { aPasskeyDevice } from "./passkey-device.ts";
import { anotherOperator } from "./second-operator.ts";

/** The name of one of the broker's operations. */
export type BrokerOperationName = keyof typeof brokerContract;
type Foreign =
  | "approvalId"
  | "sessionId"
  | "paymentId"
  | "reference"
  | "payload"
  | "grantId"
  | "handle"
  | "deviceId"
  | "signInId";

interface Things {
  readonly broker: TestBroker;
  /** Ids and keys of a second user or another merchant, as a stranger would put it into a request. */
  readonly theirs: Readonly<Record<Foreign, string>>;
  /** The merchant that some of the credentials are of. */
  readonly otherMerchantId: string;
}

/** A broker with a second user's things, and credentials of every kind of principal. */
export interface PolicyFixture extends Things {
  /** The second user. */
  readonly ben: PersonClient;
  readonly credentials: Readonly<Record<PrincipalKind, Record<string, string>>>;
  /** A third person, who is frozen last; an operator lifts that. */
  readonly freezing: Readonly<Record<string, string>>;
}

async function otherMerchant(broker: TestBroker): Promise<{ id: string; server: string; publishable: string }> {
  const { random } = broker.options;
  const [id, server, publishable] = [v7(), createOpaqueToken("sk_", random), createOpaqueToken("pk_", random)];
  const at = new Date();
  await broker.sql`insert into broker.merchants (id, user_id, name, first_party, sells_top_ups, refunds, created_at)
    values (${id}, ${broker.ana.id}, 'Other shop', true, true, true, ${at})`;
  await broker.sql`insert into broker.merchant_origins (merchant_id, origin) values (${id}, 'https://other.example')`;
  await broker.sql`
    insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at, first_party, sells_top_ups, refunds)
    values (${hashToken(server)}, ${id}, 'server', ${at}, true, true, true),
      (${hashToken(publishable)}, ${id}, 'publishable', ${at}, false, false, false)`;
  return { id, server, publishable };
}

/** A session of the other kinds, of the other merchant. */
async function aSession(broker: TestBroker, kind: "recharge" | "quota"): Promise<string> {
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
async function aHandle(broker: TestBroker): Promise<string> {
  const body = { kind: "recharge" as const, origin: "https://shop.example", max_amount: 50_000 };
  const { session } = (await broker.merchant.createSession({ body })).body;
  return (await broker.till(session).lookUp({ body: { phone: broker.ben.phone } })).body.handle;
}

/** A payment of a session of the first merchant, held, so that nobody's balance changes. */
async function aPayment(broker: TestBroker): Promise<string> {
  const { session } = await anOrder(broker);
  const { payload, amount = 0 } = (await broker.widget(session).widgetSession({})).body;
  const parties = { from_user_id: broker.ana.id, to_user_id: broker.shop.id };
  const body = { amount, ...parties, status: "pending" as const, details: { qr: payload } };
  return (await broker.entity.client.createTransaction({ body })).body.id;
}

async function theirThings(broker: TestBroker, ben: PersonClient, otherMerchantId: string): Promise<Things["theirs"]> {
  const session = await anOrder(broker);
  const { body: shown } = await broker.widget(session.session).widgetSession({});
  const { body: approval } = await ben.openApproval({ body: { payload: shown.payload } });
  const grant = { merchant_id: otherMerchantId, proof: { demo: true } } as const;
  return {
    approvalId: approval.id,
    sessionId: session.session_id,
    paymentId: await aPayment(broker),
    reference: session.reference,
    payload: shown.payload,
    handle: await aHandle(broker),
    deviceId: (await aPasskeyDevice(broker, "other")).passkeyId,
    signInId: (await ben.mySessions({})).body[0]?.id ?? "",
    grantId: (await ben.createGrant({ body: grant })).body.id,
  };
}

/** Starts it; stop its broker when done. */
export async function aPolicyFixture(changes: BrokerChanges = {}): Promise<PolicyFixture> {
  const broker = await aBroker(changes);
  // The operator to whom the codes of links are shown.
  await anotherOperator(broker, "clerk");
  const ben = await broker.as("other");
  const { id: otherMerchantId, server, publishable } = await otherMerchant(broker);
  const theirs = await theirThings(broker, ben, otherMerchantId);
  const widget = await anOrder(broker);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const freezing = ownPage(await broker.signIn("merchant"));
  const credentials = {
    person: ownPage(await broker.signIn("payer")),
    operator: ownPage(await broker.signIn("operator")),
    merchant: bearer(server),
    publishable: bearer(publishable),
    paySession: bearer(widget.session),
    rechargeSession: bearer(await aSession(broker, "recharge")),
    quotaSession: bearer(await aSession(broker, "quota")),
    visitor: {},
  };
  return { broker, ben, theirs, otherMerchantId, credentials, freezing };
}

/** An endpoint that no push service has, so that nothing is sent there. */
const PUSH_ENDPOINT = "http://push.example/theirs";
const PUSH_KEYS = { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: "A".repeat(22) };
const UNKNOWN_LINK = `en_${"A".repeat(43)}`;

/** The paths of operations on one enrolment or merchant; the id is that of another thing here. */
function operatorPaths(id: string, broker: TestBroker): Partial<Record<BrokerOperationName, string>> {
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

function devicePaths(deviceId: string, signInId: string): Partial<Record<BrokerOperationName, string>> {
  const path = `/v1/me/devices/${deviceId}`;
  return {
    renameDevice: `${path}/rename`,
    removeDevice: `${path}/remove`,
    endMySession: `/v1/me/sessions/${signInId}/end`,
  };
}

function merchantPaths(sessionId: string, paymentId: string): Partial<Record<BrokerOperationName, string>> {
  const [session, refunds] = [`/v1/sessions/${sessionId}`, `/v1/payments/${paymentId}/refunds`];
  const redeliverWebhook = `/v1/webhook-deliveries/${sessionId}/redeliver`;
  return {
    sessionStatus: session,
    cancelSession: `${session}/cancel`,
    createRefund: refunds,
    refunds,
    redeliverWebhook,
  };
}

function approvalPaths(id: string): Partial<Record<BrokerOperationName, string>> {
  const path = `/v1/approvals/${id}`;
  return { approval: path, confirmApproval: `${path}/confirm`, withdrawApproval: `${path}/withdraw` };
}

/** A request that names the second user's things wherever it can name anything. */
export function foreignRequest(
  { broker, theirs, otherMerchantId }: Things,
  name: BrokerOperationName,
): { path: string; body?: object } {
  const { approvalId, sessionId, paymentId, reference, payload, grantId, handle, deviceId, signInId } = theirs;
  const path: Partial<Record<BrokerOperationName, string>> = {
    ...merchantPaths(sessionId, paymentId),
    ...approvalPaths(approvalId),
    myQr: `/v1/me/qr?reference=${reference}`,
    grantRequest: `/v1/me/grants/request?merchant=${otherMerchantId}`,
    revokeGrant: `/v1/me/grants/${grantId}/revoke`,
    agreeToSelling: `/v1/me/selling-requests/${approvalId}/agree`,
    refuseSelling: `/v1/me/selling-requests/${approvalId}/refuse`,
    myStatement: "/v1/me/statement?month=2026-03",
    ...operatorPaths(approvalId, broker),
    ...devicePaths(deviceId, signInId),
    putMyNickname: `/v1/me/nicknames/${broker.ben.id}`,
  };
  const body: Partial<Record<BrokerOperationName, object>> = {
    createSession: { kind: "pay", amount: 25_000, origin: "https://shop.example", order: "theirs" },
    createScan: { payload },
    openApproval: { payload },
    confirmApproval: { payee: "Café La Esquina", amount: 25_000, reference, demo: true },
    createMyQr: {},
    lookUp: { phone: broker.ben.phone },
    createRecharge: { handle, amount: 1_000 },
    createRefund: {},
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
    putMyNickname: { nickname: "Mine" },
    endMySession: { proof: { demo: true } },
    endMyOtherSessions: { proof: { demo: true } },
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

/** Operations that need an idempotency key. */
const NEEDS_KEY: ReadonlySet<BrokerOperationName> = new Set(["createRecharge", "createRefund"]);

/** Calls an operation with the second user's things and the headers of another principal. */
export async function askForTheirs(
  fixture: Things,
  headers: Readonly<Record<string, string>>,
  name: BrokerOperationName,
): Promise<{ status: number; text: string }> {
  const { path, body } = foreignRequest(fixture, name);
  const row: Operation = brokerContract[name];
  const response = await fixture.broker.fetch(`${ORIGIN}${path}`, {
    method: row.method,
    headers: {
      "x-cupo-request": "1",
      ...headers,
      ...(NEEDS_KEY.has(name) ? { "idempotency-key": "theirs" } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
