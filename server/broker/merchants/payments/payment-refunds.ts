import type { Refund } from "../../../../src/contract/broker/broker.ts";
import { numberToAmountText, parseAmount, sumAmounts } from "../../../../src/money.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { RefundRow } from "./refund-store.ts";

type Service = Pick<Granted<"merchant", "refunds">, "transactionHistory">;
type SentRefund = Awaited<ReturnType<Service["transactionHistory"]>>["body"][number];

/** The fields of a payment that finding its refunds takes. */
interface RefundedPayment {
  readonly id: string;
  readonly created_at: string;
  readonly reversed_amount?: number | undefined;
}

/** A refund that was carried out, as the service has it. */
export interface ApprovedRefund extends Refund {
  readonly transaction_id: string;
  /** In minor units. */
  readonly minor: bigint;
}

type Currency = Pick<BrokerContext, "currency">;

/** Of 500 refunds each; a payment whose refunds lie further back tells how much was given back, and not by which. */
const MOST_PAGES = 4;
/** As many characters of a note as the payer's app shows. */
const MOST_REASON = 140;

function minorOf({ currency }: Currency, amount: number): bigint {
  return parseAmount(numberToAmountText(amount), currency.digits);
}

function reasonOf({ reason, note }: SentRefund["details"]): { readonly reason?: string } {
  const words = [note, reason].find((text): text is string => typeof text === "string" && text !== "");
  return words === undefined ? {} : { reason: words.slice(0, MOST_REASON) };
}

/** A refund that the merchant's backend asked for carries its id; any other is known by that of the service. */
function approvedRefund(broker: Currency, paymentId: string, sent: SentRefund, own: readonly string[]): ApprovedRefund {
  const { id: transactionId, amount, currency, created_at, details } = sent;
  const id = own.find((known) => known === details.refund) ?? transactionId;
  const common = { id, payment_id: paymentId, state: "approved" as const, amount, currency, created_at };
  return { ...common, ...reasonOf(details), transaction_id: transactionId, minor: minorOf(broker, amount) };
}

/**
 * Reads the refunds of a payment from the service, newest first, whoever made them, until they come to all that was
 * given back; fewer where they lie behind many later refunds of the payee. `own` are the refunds that the merchant's
 * backend asked for.
 */
export async function readPaymentRefunds(
  broker: Currency,
  service: Service,
  payment: RefundedPayment,
  own: readonly Pick<RefundRow, "id">[],
): Promise<readonly ApprovedRefund[]> {
  const refunded = minorOf(broker, payment.reversed_amount ?? 0);
  const ids = own.map(({ id }) => id);
  const found: ApprovedRefund[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && refundedBy(found) < refunded; page += 1) {
    const query = { "from-date": payment.created_at, ...(cursor === undefined ? {} : { cursor }) };
    const { body, nextCursor } = await service.transactionHistory(query);
    const own = body.filter(({ reverses }) => reverses === payment.id);
    found.push(...own.map((sent) => approvedRefund(broker, payment.id, sent, ids)));
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return found;
}

/** Returns the sum of refunds in minor units. */
export function refundedBy(refunds: readonly ApprovedRefund[]): bigint {
  return sumAmounts(refunds.map(({ minor }) => minor));
}
