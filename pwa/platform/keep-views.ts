import type { Router } from "./router.ts";

/** Within a limit of Safari: 100 changes of the history in 30 seconds. */
const STILL_MS = 300;

/**
 * Has a reload find how the shown page looks: keeps it whenever the person has scrolled, typed or chosen something, and
 * when the document is left. Between two of its entries the router does it alone.
 */
export function keepViews(router: Router): void {
  let still: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(still);
    router.keepView();
  };
  // Firefox no longer keeps what changes at `pagehide`; Safari has no `beforeunload` on a phone.
  for (const end of ["click", "beforeunload", "pagehide"]) addEventListener(end, keep);
  for (const move of ["scroll", "input"]) {
    addEventListener(move, () => {
      clearTimeout(still);
      still = setTimeout(keep, STILL_MS);
    });
  }
}
