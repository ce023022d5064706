/** Storage key that push messages were turned on with; it goes with the rest of a person's data. */
export const PUSH_TURNED_ON = "cupo.push";

/** Reports push messages as turned on also where the browser has ended the subscription since. */
export function isPushTurnedOn(storage: Pick<Storage, "getItem">): boolean {
  return storage.getItem(PUSH_TURNED_ON) !== null;
}
