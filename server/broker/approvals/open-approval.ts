import { hash } from "node:crypto";
import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError, type ErrorCode } from "../../../src/contract/errors.ts";
import type { Call } from "../../../src/contract/handler.ts";
import { canonicalJson } from "../../http/canonical-json.ts";
import { type BrokerContext, invalidField, readAmount } from "../broker-context.ts";
import { type KnownCode, lookUpCode } from "../codes/look-up-code.ts";
import { readPayload } from "../codes/read-payload.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { approvalAnswer } from "./approval-answer.ts";
import { type ApprovalRow, findOfAttempt, hasPaidBefore, insertApproval } from "./approval-store.ts";

type OpenCall = Call<BrokerContract["openApproval"], PersonPrincipal>;
type Service = Granted<"person", "openApproval">;

/** A person looks at what is about to be paid for at most so long. */
const LIFE_MS = 2 * 60_000;
const RANDOM_BYTES = 32;

const UNPAYABLE: Readonly<Partial<Record<KnownCode["state"], readonly [ErrorCode, string]>>> = Object.freeze({
  cancelled: ["qr_cancelled", "This code was cancelled by the one who made it."],
  paid: ["qr_already_paid", "This code has been paid already."],
  pending: ["qr_already_paid", "Another payment of this code is under way."],
  expired: ["qr_expired", "This code has expired: ask for a new one."],
});

/** The amount: a dynamic code has it, for a static one the person typed it. Throws for what cannot be paid. */
function amountOf(broker: BrokerContext, { body, principal }: OpenCall, code: KnownCode): bigint {
  if (code.payeeId === principal.userId) throw new ApiError("not_allowed", { detail: "This code is your own." });
  if (code.currency !== broker.currency.code) {
    throw new ApiError("not_allowed", { detail: "This code is in another currency." });
  }
  const typed = body.amount === undefined ? undefined : readAmount(broker, body.amount);
  if (code.amount === undefined) {
    if (typed === undefined) throw invalidField("/amount", "is required: this code has no amount of its own");
    return typed;
  }
  const asked = readAmount(broker, code.amount);
  if (typed !== undefined && typed !== asked) {
    throw new ApiError("qr_mismatch", { detail: "The amount differs from the code's: leave it out." });
  }
  const [reason, detail] = UNPAYABLE[code.state] ?? [];
  if (reason !== undefined && detail !== undefined) throw new ApiError(reason, { detail });
  return asked;
}

async function isFirstTime(broker: BrokerContext, service: Service, userId: string, payeeId: string): Promise<boolean> {
  if (await hasPaidBefore(broker.sql, userId, payeeId)) return false;
  const { body } = await service.transactionHistory({});
  return !body.some((payment) => payment.to_user_id === payeeId);
}

async function openNew(broker: BrokerContext, call: OpenCall, service: Service, print: Uint8Array) {
  const { body, principal, idempotency } = call;
  const { userId, demo } = principal;
  const { payload } = body;
  if (payload === undefined) throw new ApiError("not_implemented");
  const read = { kind: "code", payload, code: await readPayload(payload, broker) } as const;
  const code = await lookUpCode(broker, service, read);
  const amount = amountOf(broker, call, code);
  const createdAt = broker.clock();
  return insertApproval(broker.sql, {
    ...{ operation: "pay", reverses: null },
    ...{ id: broker.newId(), random: broker.random(RANDOM_BYTES), user_id: userId, payer_id: userId, amount },
    ...{ payee_id: code.payeeId, payee: code.payee, currency: code.currency, payload: code.payload },
    first_time_payee: await isFirstTime(broker, service, userId, code.payeeId),
    ...{ reference: code.reference ?? null, check_code: code.checkCode, note: body.note ?? null },
    method: demo ? "button" : "passkey",
    ...{ attempt_key: idempotency?.key ?? null, attempt_fingerprint: print },
    ...{ created_at: createdAt, expires_at: new Date(createdAt.getTime() + LIFE_MS) },
  });
}

/** The approval that the same attempt opened before; throws when that attempt asked for something else. */
async function openedBefore({ sql }: BrokerContext, call: OpenCall, print: Uint8Array) {
  if (call.idempotency === undefined) return undefined;
  const row = await findOfAttempt(sql, call.principal.userId, call.idempotency.key);
  if (row === undefined || Buffer.compare(row.attempt_fingerprint ?? Buffer.of(), print) === 0) return row;
  throw new ApiError("idempotency_key_reused", { detail: "The key was used for another payment: send a new one." });
}

async function recordOpening({ sql, audit }: BrokerContext, { requestId, principal }: OpenCall, row: ApprovalRow) {
  const facts = { payee: row.payee_id, amount: String(row.amount), currency: row.currency };
  await audit(sql, { requestId, principal, action: "open approval", subject: row.id, outcome: "open", facts });
}

/** Stores what a person is about to pay, as the service knows it (security: Approval of a payment, 1). */
export function openApproval(broker: BrokerContext): GatedHandler<"person", "openApproval"> {
  return async (call, service) => {
    const print = hash("sha256", canonicalJson(call.body), "buffer");
    const before = await openedBefore(broker, call, print);
    if (before !== undefined) return { body: approvalAnswer(broker, before), replayed: true };
    const opened = await openNew(broker, call, service, print);
    if (opened !== undefined) await recordOpening(broker, call, opened);
    const row = opened ?? (await openedBefore(broker, call, print));
    if (row === undefined) throw new Error("an approval of the same attempt was neither stored nor found");
    return { body: approvalAnswer(broker, row) };
  };
}
