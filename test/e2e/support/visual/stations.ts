import { beginnings, enrolments, strangers } from "./states-begin.ts";
import { endings } from "./states-end.ts";
import { payments, receipts } from "./states-pay.ts";
import { readings } from "./states-read.ts";
import type { PageState } from "./visual-run.ts";

/** Every page of the app in its main states, in the order in which one person could see them. */
export const stations: readonly PageState[] = [
  ...strangers,
  ...enrolments,
  ...beginnings,
  ...readings,
  ...payments,
  ...receipts,
  ...endings,
];
