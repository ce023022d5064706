import { ApiError } from "../../../src/contract/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { BrokerContext } from "../broker-context.ts";
import type { OperatorPrincipal } from "./principal.ts";

/** The parts of an operator's call that say who asks. */
interface Asking {
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
}

/** The parts of the broker that carry out what an operator writes. */
export type OperatorWriting = Pick<BrokerContext, "sql" | "clock" | "signIns">;

/** The parts of a refusal that the audit keeps. */
interface Refused {
  readonly action: string;
  readonly subject?: string | undefined;
  readonly facts?: Readonly<Record<string, string>>;
}

/**
 * Carries out what an operator writes in one transaction, for somebody who is an operator and signed in still: the
 * request may have been held since it was authenticated. Whoever shuts the operator out from now on waits until the
 * transaction is done, and so finds what it made; so does whatever else the operator makes, and counts it.
 */
export function writeAsOperator<R>(
  { sql, clock, signIns }: OperatorWriting,
  { personId, sessionHash }: OperatorPrincipal,
  write: (tx: Tx, now: Date) => Promise<R>,
): Promise<R> {
  // The driver's type of what a transaction answers takes lists of queries for their answers.
  return sql.begin("isolation level read committed", async (tx) => {
    const found = await tx`select from broker.people where id = ${personId} and disabled_at is null for no key update`;
    if (found.length === 0 || !(await signIns.hold(tx, sessionHash))) throw new ApiError("unauthorized");
    return write(tx, clock());
  }) as Promise<R>;
}

/**
 * Keeps in the audit what an operator was refused. Each look-up of somebody who is not there is kept, for it was
 * answered; of the rest as much as the limit of refusals lets through, because the audit is kept for ever.
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
