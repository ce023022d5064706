/**
 * The pages of the app that other engines than Chromium draw 320 px wide, by name: the path, and what is shown once the
 * page is complete, each part within the shadow root of the one before it. Confirm's path lacks the code.
 */
export const NARROW_PAGES: Readonly<Record<string, readonly [path: string, shown: string]>> = Object.freeze({
  Home: ["/", "cupo-home-page >>> .quota[aria-busy=false]"],
  Scan: ["/scan", "cupo-scan-page >>> .finder"],
  Confirm: ["/p#", "cupo-pay-button >>> button:enabled"],
  History: ["/history", "cupo-movement-list >>> a.row"],
  Receive: ["/receive", "cupo-receive-page >>> svg[role=img]"],
  Profile: ["/profile", "cupo-sessions-section >>> li"],
});
