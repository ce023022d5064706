import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { PaySessionRow } from "../../access/widget-session-store.ts";

type Service = Pick<Granted<"merchant", "createSession">, "transactionQr">;

/**
 * Reads the payment code of a merchant's session from the service; undefined where it expired unpaid so long ago that
 * the service has deleted it.
 */
export async function codeOf(
  { clock }: Pick<BrokerContext, "clock">,
  service: Service,
  { reference, expires_at }: Pick<PaySessionRow, "reference" | "expires_at">,
) {
  try {
    return (await service.transactionQr({ reference })).body;
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === "qr_not_found";
    if (!isUnknown) throw error;
    if (expires_at.getTime() > clock().getTime()) throw new ApiError("upstream_failed", { cause: error });
    return undefined;
  }
}
