import type { AppContext } from "../context/app-context.ts";
import { own } from "../platform/own.ts";
import { PersonRemoval } from "../store/person-removal.ts";
import { Store, type StoreOptions } from "../store/store.ts";

/** The channel on which tabs tell each other who has left. */
const REMOVAL_CHANNEL = "cupo.left";

/**
 * Creates the {@link PersonRemoval} that works on this browser's storage, database and push subscription; `onLeft` gets
 * the id of each person whose data another tab removes.
 */
export function personRemovalIn(storage: Storage, onLeft: (personId: string) => void): PersonRemoval {
  const tabs = new BroadcastChannel(REMOVAL_CHANNEL);
  tabs.onmessage = ({ data }) => onLeft(String(data));
  return new PersonRemoval({
    storage,
    deleteDatabase: async (personId) => (await import("../store/delete-database.ts")).deleteDatabase(personId),
    endPush: async () => (await import("../store/push-setting.ts")).forgetPush(),
    notifyTabs: (personId) => tabs.postMessage(personId),
  });
}

/** Asks the browser not to throw the data away when room is short; it may say no, or ask the person. */
async function askToPersist(): Promise<void> {
  const { storage } = navigator;
  if (storage?.persist === undefined || (await storage.persisted())) return;
  await storage.persist();
}

/**
 * Creates the store of the person's data in this browser. After a payment, and when the app is installed, it asks the
 * browser to make the site's storage persistent, which the browser may refuse.
 */
export function storeIn(options: Pick<StoreOptions, "api" | "session" | "now">): Store {
  addEventListener("appinstalled", () => own(askToPersist()));
  return new Store({ ...options, locks: navigator.locks, onPayment: () => own(askToPersist()) });
}

/** Syncs the store whenever the page becomes visible or the connection comes back, while somebody is signed in. */
export function syncAtMoments({ session, store }: Pick<AppContext, "session" | "store">): void {
  const check = (): void => {
    if (session.expected && navigator.onLine && !document.hidden) own(store.sync());
  };
  document.addEventListener("visibilitychange", check);
  addEventListener("online", check);
}
