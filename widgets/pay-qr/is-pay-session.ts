import type { PaySession } from "../../src/contract/broker/broker.ts";
import { fieldsOf } from "../shared/session-client.ts";

const STATES: readonly unknown[] = ["unpaid", "pending", "paid", "expired", "cancelled"];
const TEXTS = ["payee", "currency", "reference", "check_code", "payload", "app_link"] as const;

/** Checks by hand the shown fields of a payment's session, as the contract's schema defines them. */
export function isPaySession(answer: unknown): answer is PaySession {
  const fields = fieldsOf(answer);
  return (
    STATES.includes(fields.state) &&
    TEXTS.every((name) => typeof fields[name] === "string") &&
    Number.isFinite(fields.expires_in) &&
    Number.isFinite(fields.rejected_attempts) &&
    (fields.amount === undefined || Number.isFinite(fields.amount))
  );
}
