import type { AppContext } from "../context/app-context.ts";
import { keepViews } from "../platform/keep-views.ts";
import { followMessages, startLive } from "./start-live.ts";

/**
 * Starts, once the first page is shown, what reports arrivals from now on, and what keeps how pages look; where the app
 * can be added to an iPhone's home screen, its start-up image.
 */
export function afterStart(context: AppContext): void {
  startLive(context);
  followMessages(context);
  keepViews(context.router);
  if (context.install.way === "by_hand") startUpImage().catch(reportError);
  // Nobody has push messages without the permission.
  if (globalThis.Notification?.permission === "granted") renewed(context).catch(() => undefined);
}

async function startUpImage(): Promise<void> {
  const { addStartUpImage } = await import("../install/start-up-image.ts");
  await addStartUpImage(document, screen, devicePixelRatio);
}

/** Renews the person's push subscription; where that fails, the next start tries again. */
async function renewed({ api, language, session }: AppContext): Promise<void> {
  if (!session.expected) return;
  const { renewPush } = await import("../store/push-setting.ts");
  await renewPush({ api, language, storage: localStorage });
}
