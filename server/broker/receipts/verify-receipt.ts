import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import { addressKey } from "../../http/client-address.ts";
import { createRateLimiter } from "../../http/rate-limiter.ts";
import { type BrokerContext, takeFrom, toInstant, toNumber } from "../broker-context.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import { coverName, type PartyNames } from "../people/party-names.ts";
import type { TopUpNames } from "../people/top-up-names.ts";
import { createReceiptTokens, type ReceiptFacts } from "./receipt-token.ts";

type Answer = AnswerOf<BrokerContract["verifyReceipt"]>;
type Service = Granted<"visitor", "verifyReceipt">;

/** Per address: more than a shop's counter needs, too few to keep the service busy. */
const CHECKS_A_MINUTE = 30;

/** How a payment stands, and the id of what it gives back. */
interface Standing {
  readonly state: Pick<Answer, "status" | "reversed_amount">;
  readonly reverses: string | undefined;
}

function notOurs(): ApiError {
  return new ApiError("receipt_not_authentic");
}

/** How the payment of a genuine receipt stands now, and what it gives back; a transfer never changes. */
async function stateOf(facts: ReceiptFacts, service: Service): Promise<Standing> {
  if (facts.kind === "transfer") return { state: { status: "approved" }, reverses: undefined };
  try {
    const { body } = await service.transaction({ id: facts.id });
    if (body.from_user_id !== facts.payerId || body.to_user_id !== facts.payeeId) throw notOurs();
    const { status, reversed_amount, reverses } = body;
    return { state: { status, ...(reversed_amount === undefined ? {} : { reversed_amount }) }, reverses };
  } catch (error) {
    // The books that it was written from are not these.
    if (error instanceof ApiError && error.code === "transaction_not_found") throw notOurs();
    throw error;
  }
}

/**
 * Who is paid by a code shows the name to everybody, and so it stays readable here, on the refunds too that it gives;
 * payers show theirs to the payee alone, and whoever is sent balance or a top-up was found by phone, and shows none,
 * also where the top-up is given back.
 */
function partiesOf(kind: ReceiptFacts["kind"], payer: string, payee: string): Pick<Answer, "payer" | "payee"> {
  if (kind === "transfer" || kind === "recharge") return { payer: coverName(payer), payee: coverName(payee) };
  return kind === "refund" ? { payer, payee: coverName(payee) } : { payer: coverName(payer), payee };
}

/** Says whether a receipt is one of ours, and what it stands for now. */
export function verifyReceipt(
  broker: BrokerContext,
  names: PartyNames,
  topUps: TopUpNames,
): GatedHandler<"visitor", "verifyReceipt"> {
  const tokens = createReceiptTokens(broker.key);
  const checks = createRateLimiter({ quota: CHECKS_A_MINUTE, windowSeconds: 60, now: broker.now });
  return async ({ body, address }, service) => {
    takeFrom(checks, addressKey(address));
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
