import type { Passkey } from "./passkey-store.ts";

type Aged = Pick<Passkey, "id" | "createdAt">;

/** Time for the account's owner to notice a device that somebody else holds, and to freeze the account. */
const FIRST_DAY_MS = 24 * 60 * 60_000;

/** True for a device within a day of its enrolment. */
export function isInFirstDay({ createdAt }: Aged, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < FIRST_DAY_MS;
}

/** True if the asking device is in its first day and the other is no younger, so that it may not shut it out. */
export function mayNotRemoveOlder(other: Aged, asking: Aged | undefined, now: Date): boolean {
  return asking !== undefined && isInFirstDay(asking, now) && other.createdAt <= asking.createdAt;
}
