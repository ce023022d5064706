import type { Limits } from "../../src/contract/my-account.ts";

/** A limit that an amount would pass, and what is left of it. */
export interface ExceededLimit {
  readonly which: "payment" | "day" | "first_time_payee";
  readonly left: number;
}

/** What holds of a limit: the person's own, which is never above the entity's, or else the entity's. */
function held({ entity, own }: Limits["day"]): number {
  return own ?? entity ?? Number.POSITIVE_INFINITY;
}

/** Which limit the broker refused an amount for, in the order in which it looks at them; undefined for none. */
export function exceededLimit(limits: Limits, amount: number): ExceededLimit | undefined {
  const payment = held(limits.payment);
  if (amount > payment) return { which: "payment", left: payment };
  const left = Math.max(0, held(limits.day) - limits.spent_today);
  if (amount > left) return { which: "day", left };
  const firstTime = held(limits.first_time_payee);
  return amount > firstTime ? { which: "first_time_payee", left: firstTime } : undefined;
}
