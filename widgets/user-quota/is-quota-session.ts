import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";
import { fieldsOf } from "../shared/session-client.ts";

/** Intl throws on any other form of currency code. */
const CURRENCY = /^[A-Z]{3}$/;

/** Checks by hand the shown fields of a quota's session, as the contract's schema defines them. */
export function isQuotaSession(answer: unknown): answer is QuotaSession {
  const fields = fieldsOf(answer);
  const { movements } = fields;
  return (
    fields.kind === "quota" &&
    areTexts(fields, ["name", "status", "currency", "as_of"]) &&
    CURRENCY.test(String(fields.currency)) &&
    [fields.quota, fields.quota_available, fields.score].every((sum) => sum === null || Number.isFinite(sum)) &&
    Array.isArray(movements) &&
    movements.every(isMovement)
  );
}

function isMovement(movement: unknown): movement is QuotaMovement {
  const fields = fieldsOf(movement);
  return (
    areTexts(fields, ["kind", "status", "direction", "counterparty", "created_at"]) && Number.isFinite(fields.amount)
  );
}

function areTexts(fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === "string");
}
