import type { Passkey } from "./passkey-store.ts";

type Aged = Pick<Passkey, "id" | "createdAt">;

/** Time for the account's owner to notice a device that somebody else holds, and to freeze the account. */
const FIRST_DAY_MS = 24 * 60 * 60_000;

/** True if less than 24 hours have passed since the device was enrolled. */
export function isInFirstDay({ createdAt }: Aged, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < FIRST_DAY_MS;
}

/**
 * True if the asking device may not remove the other device or end its sessions: the asking one is in its first day,
 * and the other is at least as old.
 */
export function mayNotRemoveOlder(other: Aged, asking: Aged | undefined, now: Date): boolean {
  return asking !== undefined && isInFirstDay(asking, now) && other.createdAt <= asking.createdAt;
}
