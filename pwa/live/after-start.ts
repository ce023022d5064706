import type { AppContext } from "../context/app-context.ts";
import { keepViews } from "../platform/keep-views.ts";
import { followMessages, startLive } from "./start-live.ts";

/** Starts, once the first page is shown, what reports arrivals from now on, and what keeps how pages look. */
export function afterStart(context: AppContext): void {
  startLive(context);
  followMessages(context);
  keepViews(context.router);
}
