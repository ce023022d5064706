import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import { addressKey } from "../../../http/client-address.ts";
import { createRateLimiter } from "../../../http/rate-limiter.ts";
import { type BrokerContext, takeFromLimit, toInstant, toNumber } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { coverName, type PartyNames } from "./party-names.ts";
import { createReceiptTokens, type ReceiptFacts } from "./receipt-token.ts";
import type { TopUpNames } from "./top-up-names.ts";

type Answer = AnswerOf<BrokerContract["verifyReceipt"]>;
type Service = Granted<"visitor", "verifyReceipt">;

/** Per address: more than a shop's counter needs, too few to keep the service busy. */
const CHECKS_A_MINUTE = 30;

/** The current state of a payment, and the id of the payment that it reverses. */
interface Standing {
  readonly state: Pick<Answer, "status" | "reversed_amount">;
  readonly reverses: string | undefined;
}

function notOurs(): ApiError {
  return new ApiError("receipt_not_authentic");
}

/** Reads the current state of a genuine receipt's payment, and the id that it reverses; a transfer never changes. */
async function stateOf(facts: ReceiptFacts, service: Service): Promise<Standing> {
  if (facts.kind === "transfer") return { state: { status: "approved" }, reverses: undefined };
  try {
    const { body } = await service.transaction({ id: facts.id });
    if (body.from_user_id !== facts.payerId || body.to_user_id !== facts.payeeId) throw notOurs();
    const { status, reversed_amount, reverses } = body;
    return { state: { status, ...(reversed_amount === undefined ? {} : { reversed_amount }) }, reverses };
  } catch (error) {
    // The receipt was written for another ledger.
    if (error instanceof ApiError && error.code === "transaction_not_found") throw notOurs();
    throw error;
  }
}

/**
 * Masks names that a receipt must not reveal. A payee of a code shows the name to everybody, so it stays readable, on
 * the payee's refunds too; payers show theirs to the payee alone; receivers of transfers and top-ups were found by
 * phone and stay masked, also where a top-up is refunded.
 */
function partiesOf(kind: ReceiptFacts["kind"], payer: string, payee: string): Pick<Answer, "payer" | "payee"> {
  if (kind === "transfer" || kind === "recharge") return { payer: coverName(payer), payee: coverName(payee) };
  return kind === "refund" ? { payer, payee: coverName(payee) } : { payer: coverName(payer), payee };
}

/**
 * Verifies that a receipt was issued here, and answers its facts and its payment's current state, with names masked
 * that the receipt's reader must not learn; throws `receipt_not_authentic`.
 */
export function verifyReceipt(
  broker: BrokerContext,
  names: PartyNames,
  topUps: TopUpNames,
): GatedHandler<"visitor", "verifyReceipt"> {
  const tokens = createReceiptTokens(broker.key);
  const checks = createRateLimiter({ quota: CHECKS_A_MINUTE, windowSeconds: 60, now: broker.now });
  return async ({ body, address }, service) => {
    takeFromLimit(checks, addressKey(address));
    const facts = tokens.read(body.receipt);
    if (facts === undefined) throw notOurs();
    const { kind, reference, amountMinor, createdAt, payerId, payeeId, checkCode } = facts;
    const { state, reverses } = await stateOf(facts, service);
    const givesBackTopUp = reverses !== undefined && (await topUps.isTopUp(reverses, service.transaction));
    const [payer, payee] = [await names.nameOf(payerId, service.user), await names.nameOf(payeeId, service.user)];
    return {
      body: {
        ...{ kind, reference, ...state, check_code: checkCode },
        ...partiesOf(givesBackTopUp ? "recharge" : kind, payer, payee),
        amount: toNumber(broker, amountMinor),
        currency: broker.currency.code,
        created_at: toInstant(createdAt),
      },
    };
  };
}
