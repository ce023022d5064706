import type { PaySession } from "../../src/contract/broker/broker.ts";
import { fieldsOf } from "../shared/session-client.ts";
import { PHASE_OF } from "./pay-qr-state.ts";

const TEXTS = ["payee", "currency", "reference", "check_code", "payload", "app_link"] as const;

/**
 * True if an answer of the broker is a payment session: checks by hand the fields that the element shows, as the
 * contract's schema defines them.
 */
export function isPaySession(answer: unknown): answer is PaySession {
  const fields = fieldsOf(answer);
  return (
    Object.keys(PHASE_OF).includes(fields.state as string) &&
    TEXTS.every((name) => typeof fields[name] === "string") &&
    Number.isFinite(fields.expires_in) &&
    Number.isFinite(fields.rejected_attempts) &&
    (fields.amount === undefined || Number.isFinite(fields.amount))
  );
}
