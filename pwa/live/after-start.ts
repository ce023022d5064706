import type { AppContext } from "../context/app-context.ts";
import { isPushTurnedOn } from "../store/push-subscription.ts";
import { followMessages, startLive } from "./start-live.ts";

/**
 * Starts, once the first page is shown, what reports arrivals from now on; where the app can be added to an iPhone's
 * home screen, its start-up image.
 */
export function afterStart(context: AppContext): void {
  startLive(context);
  followMessages(context);
  if (context.install.way === "by_hand") startUpImage().catch(reportError);
  renewPush(context).catch(() => undefined);
}

async function startUpImage(): Promise<void> {
  const { addStartUpImage } = await import("../install/start-up-image.ts");
  await addStartUpImage(document, screen, devicePixelRatio);
}

/** Renews the person's push subscription, if the browser permits one; where that fails, the next start tries again. */
async function renewPush({ api, language, session }: AppContext): Promise<void> {
  if (!session.expected || globalThis.Notification?.permission !== "granted") return;
  if (!(await isPushTurnedOn(localStorage))) return;
  const { startPush } = await import("../store/push-setting.ts");
  await startPush({ api, language, storage: localStorage });
}
