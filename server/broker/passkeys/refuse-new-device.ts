import { ApiError } from "../../../src/contract/errors.ts";
import { toInstant } from "../broker-context.ts";

/** As it ends the sentence "This device may …". */
type GuardedAct = "pay" | "raise limits" | "lower limits so far" | "show your quota to others";

/** Refuses what a device that came by a re-enrolment does not do until it may pay. */
export function refuseNewDevice(mayPayFrom: Date | undefined, now: Date, what: GuardedAct): void {
  if (mayPayFrom === undefined || mayPayFrom.getTime() <= now.getTime()) return;
  throw new ApiError("device_too_new", { detail: `This device may ${what} from ${toInstant(mayPayFrom)} on.` });
}
