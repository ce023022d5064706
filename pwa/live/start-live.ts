import type { Movement } from "../../src/contract/broker/broker.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import type { AppContext } from "../context/app-context.ts";
import { dropPaidApprovals } from "../drafts/pending-approvals.ts";
import type { Words } from "../language/words.ts";
import { own } from "../platform/own.ts";
import { vibrate } from "../platform/vibrate.ts";
import { ArrivalEvent } from "./arrival-event.ts";
import { arrivalText } from "./arrival-text.ts";
import type { ArrivalToast } from "./arrival-toast.ts";
import { Arrivals } from "./arrivals.ts";
import { Chime } from "./chime.ts";
import { LiveUpdates } from "./live-updates.ts";

/** More than arrive between two polls; the list still has any beyond. */
const LATEST = 20;
const PATTERN = [40, 60, 80];

/**
 * Watches the signed-in person's received payments while the app is open and not locked, and reports arrivals: in a
 * toast that is read out, by a vibration and, if it was turned on, a sound.
 */
export function startLive(context: AppContext): void {
  const { clock, lock, session, store, words } = context;
  const arrivals = new Arrivals();
  const chime = new Chime(localStorage);
  let toast: ArrivalToast | undefined;

  let watched: string | undefined;

  async function tell(arrival: Movement): Promise<void> {
    const personId = watched;
    toast ??= await addToast(words);
    if (watched === personId) toast.show(arrival, session.masked);
  }

  async function refresh(): Promise<boolean> {
    await store.sync();
    if (store.problem !== undefined) return false;
    await dropPaidApprovals(context);
    const came = arrivals.among(await store.movements({ direction: "received", limit: LATEST }), clock.now());
    // The page that shows a code reports its payment by itself.
    const untold = came.filter((arrival) => dispatchEvent(new ArrivalEvent(arrival))).at(-1);
    if (untold !== undefined) {
      own(chime.play(arrivalText(context, untold)));
      vibrate(PATTERN);
      await tell(untold).catch(reportError);
    }
    return came.length > 0;
  }

  const live = new LiveUpdates({ platform: browserPlatform, open: openEvents, refresh });
  const attend = (): void => {
    const personId = lock.locked ? undefined : session.personId;
    if (personId === watched) return;
    watched = personId;
    live.stop();
    arrivals.forget();
    toast?.hide();
    if (personId !== undefined) live.start();
  };
  session.addEventListener("change", attend);
  lock.addEventListener("change", attend);
  attend();
}

/** Adds the toast, which is loaded with the first arrival, and is there before its text: so that is read out. */
async function addToast(words: Words): Promise<ArrivalToast> {
  const { ArrivalToast } = await import("./arrival-toast.ts");
  const toast = Object.assign(new ArrivalToast(), { words });
  document.body.append(toast);
  await toast.updateComplete;
  return toast;
}

function openEvents(signal: AbortSignal): Promise<Response> {
  const url = new URL("/v1/me/events", location.origin);
  return fetch(url, { headers: { "X-Cupo-Request": "1" }, cache: "no-store", signal });
}

/** Navigates an open window to the path of a push message that was clicked. */
export function followMessages({ router }: AppContext): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    const { type, path } = (data ?? {}) as { readonly type?: string; readonly path?: string };
    if (type === "OPEN" && path !== undefined) router.go(path);
  });
}
