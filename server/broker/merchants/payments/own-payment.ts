import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal } from "../../access/principal.ts";
import { sessionsByReference } from "./own-sessions.ts";

type Service = Pick<Granted<"merchant", "createRefund">, "transaction">;
type Payment = Awaited<ReturnType<Service["transaction"]>>["body"];

/** A payment by which one of a merchant's own sessions was paid, and that session's id. */
export interface OwnPayment {
  readonly payment: Payment;
  readonly sessionId: string;
}

const ABSENT: ReadonlySet<ErrorCode> = new Set(["not_found", "transaction_not_found"]);

/**
 * Reads a payment of a merchant: one whose code was a session's of this merchant. Several merchants may be paid as one
 * user; another's payment, and what the user was paid otherwise, is `not_found` like one that is not there.
 */
export async function readOwnPayment(
  { sql }: Pick<BrokerContext, "sql">,
  { merchantId }: Pick<MerchantPrincipal, "merchantId">,
  service: Service,
  id: string,
): Promise<OwnPayment> {
  const detail = "No payment of yours has this id.";
  try {
    const { body: payment } = await service.transaction({ id });
    const session = (await sessionsByReference(sql, merchantId, [payment.reference])).get(payment.reference);
    if (session !== undefined) return { payment, sessionId: session.id };
  } catch (error) {
    if (!(error instanceof ApiError && ABSENT.has(error.code))) throw error;
    throw new ApiError("not_found", { detail, cause: error });
  }
  throw new ApiError("not_found", { detail });
}
