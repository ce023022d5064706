import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { BrokerContext } from "./broker-context.ts";
import type { OperatorPrincipal } from "./principal.ts";

/** The parts of an operator's call that say who asks. */
interface Asking {
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
}

/** The dependencies of {@link writeAsOperator}. */
export type OperatorWriting = Pick<BrokerContext, "sql" | "clock" | "signIns">;

/** The parts of a refusal that the audit keeps. */
interface Refused {
  readonly action: string;
  readonly subject?: string | undefined;
  readonly facts?: Readonly<Record<string, string>>;
}

/**
 * Runs an operator's write in one transaction that locks the operator, and returns the write's result; throws
 * `unauthorized` if the sender is no longer an operator or no longer signed in: the request may have been held since it
 * was authenticated. Another write of the operator, or a transaction that shuts the operator out, waits until this one
 * is done, and so finds what it made. A copy of the request runs again: `writeIdempotently` prevents that.
 */
export function writeAsOperator<R>(
  { sql, clock, signIns }: OperatorWriting,
  { personId, sessionHash }: OperatorPrincipal,
  write: (tx: Tx, now: Date) => Promise<R>,
): Promise<R> {
  return sql.begin("isolation level read committed", async (tx) => {
    const found = await tx`select from broker.people where id = ${personId} and disabled_at is null for no key update`;
    if (found.length === 0 || !(await signIns.hold(tx, sessionHash))) throw new ApiError("unauthorized");
    return write(tx, clock());
  });
}

/**
 * Runs an operation for an operator, and audits the refusal that it throws before it throws it on. Every
 * `user_not_found` is audited, because the operator learns from it; any other refusal only up to the limit of refusals,
 * because the audit is kept for ever.
 */
export async function keepRefusals<R>(
  { sql, audit, refusalLimit }: Pick<BrokerContext, "sql" | "audit" | "refusalLimit">,
  { principal, requestId }: Asking,
  { action, subject, facts = {} }: Refused,
  run: () => Promise<R>,
): Promise<R> {
  try {
    return await run();
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    if (isRefusal && (error.code === "user_not_found" || refusalLimit.take(principal.personId).allowed)) {
      await audit(sql, { requestId, principal, action, outcome: error.code, facts, ...(subject && { subject }) });
    }
    throw error;
  }
}
