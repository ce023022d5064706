import type { BrokerContext } from "../../access/broker-context.ts";
import { newDeviceLimit } from "../../access/entity-rules.ts";
import type { KnownLimits } from "./limit-store.ts";

/**
 * The most that a person may pay while the first device is new, with the remainder and the end of it; in minor units.
 */
export interface NewDeviceLimit {
  readonly amount: bigint;
  readonly left: bigint;
  readonly until: Date;
}

/**
 * Returns the limit that holds for a person while the first device is new, with any device: one that it invites is no
 * older. Undefined once it is no longer new. Payments that are under way count.
 */
export function newDeviceLimitOf(
  { currency }: Pick<BrokerContext, "currency">,
  { newDevice }: KnownLimits,
): NewDeviceLimit | undefined {
  if (newDevice === undefined) return undefined;
  const { set, until, spent } = newDevice;
  const amount = newDeviceLimit(set, currency.digits);
  return { amount, left: amount > spent ? amount - spent : 0n, until };
}
