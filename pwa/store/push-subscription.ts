/** Storage key that push messages were turned on with; it goes with the rest of a person's data. */
export const PUSH_TURNED_ON = "cupo.push";

/** Returns the push subscription of this device, or null where it has none. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  return (await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription()) ?? null;
}

/** Reports push messages as turned on also where the browser has ended the subscription since. */
export async function isPushTurnedOn(storage: Pick<Storage, "getItem">): Promise<boolean> {
  return storage.getItem(PUSH_TURNED_ON) !== null || (await pushSubscription()) !== null;
}
