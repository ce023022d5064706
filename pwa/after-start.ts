import type { AppContext } from "./context/app-context.ts";
import { followMessages, startLive } from "./live/start-live.ts";
import { keepViews } from "./platform/keep-views.ts";

/** Starts, once the first page is shown, what reports arrivals from now on, and what keeps how pages look. */
export function afterStart(context: AppContext): void {
  startLive(context);
  followMessages(context);
  keepViews(context.router);
}
