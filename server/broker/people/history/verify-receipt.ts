import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import { addressKey } from "../../../http/client-address.ts";
import { createRateLimiter } from "../../../http/rate-limiter.ts";
import { type BrokerContext, takeFromLimit, toInstant, toNumber } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { namesFor } from "../contacts/tell-names.ts";
import type { PartyNames } from "./party-names.ts";
import { createReceiptTokens, type ReceiptFacts } from "./receipt-token.ts";

type Answer = AnswerOf<BrokerContract["verifyReceipt"]>;
type Service = Granted<"visitor", "verifyReceipt">;

/** Per address: more than a shop's counter needs, too few to keep the service busy. */
const CHECKS_A_MINUTE = 30;

/** The current state of a payment. */
type Standing = Pick<Answer, "status" | "reversed_amount">;

function notOurs(): ApiError {
  return new ApiError("receipt_not_authentic");
}

/** Reads the current state of a genuine receipt's payment; a transfer never changes. */
async function stateOf(facts: ReceiptFacts, service: Service): Promise<Standing> {
  if (facts.kind === "transfer") return { status: "approved" };
  try {
    const { body } = await service.transaction({ id: facts.id });
    if (body.from_user_id !== facts.payerId || body.to_user_id !== facts.payeeId) throw notOurs();
    const { status, reversed_amount } = body;
    return { status, ...(reversed_amount === undefined ? {} : { reversed_amount }) };
  } catch (error) {
    // The receipt was written for another ledger.
    if (error instanceof ApiError && error.code === "transaction_not_found") throw notOurs();
    throw error;
  }
}

/**
 * Verifies that a receipt was issued here, and answers its facts and its payment's current state; people are masked,
 * for anybody may hold a receipt. Throws `receipt_not_authentic`.
 */
export function verifyReceipt(broker: BrokerContext, names: PartyNames): GatedHandler<"visitor", "verifyReceipt"> {
  const tokens = createReceiptTokens(broker.key);
  const checks = createRateLimiter({ quota: CHECKS_A_MINUTE, windowSeconds: 60, now: broker.now });
  return async ({ body, address }, service) => {
    takeFromLimit(checks, addressKey(address));
    const facts = tokens.read(body.receipt);
    if (facts === undefined) throw notOurs();
    const { kind, reference, amountMinor, createdAt, payerId, payeeId, checkCode } = facts;
    const state = await stateOf(facts, service);
    const [payer, payee] = [await names.userOf(payerId, service.user), await names.userOf(payeeId, service.user)];
    const nameOf = await namesFor(broker.sql, undefined, [payer, payee]);
    return {
      body: {
        ...{ kind, reference, ...state, check_code: checkCode },
        ...{ payer: nameOf(payer), payee: nameOf(payee) },
        amount: toNumber(broker, amountMinor),
        currency: broker.currency.code,
        created_at: toInstant(createdAt),
      },
    };
  };
}
