import type { PageName } from "../platform/app-paths.ts";
import type { Part } from "./language.ts";

/** The part of the words that a page needs beyond those of the app's start, if any. The build reads it too. */
export const pageWords: Readonly<Partial<Record<PageName, Exclude<Part, "start">>>> = Object.freeze({
  history: "receipts",
  received: "shop",
  scan: "scan",
  confirm: "approval",
  transfer: "approval",
  refund: "approval",
  grants: "account",
  welcome: "welcome",
  enrol: "account",
  profile: "account",
  receipt: "receipts",
  verify: "receipts",
  summary: "receipts",
});
