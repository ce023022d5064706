import { ApiError } from "../../../src/contract/shared/errors.ts";
import { toInstant } from "./broker-context.ts";

/** The end of the sentence "This device may …". */
type GuardedAct = "pay" | "raise limits" | "lower limits so far" | "show your quota to others";

/**
 * Throws `device_too_new` for an act of a re-enrolled device that comes before `mayPayFrom`, the time from which the
 * device may pay.
 */
export function refuseNewDevice(mayPayFrom: Date | undefined, now: Date, what: GuardedAct): void {
  if (mayPayFrom === undefined || mayPayFrom.getTime() <= now.getTime()) return;
  throw new ApiError("device_too_new", { detail: `This device may ${what} from ${toInstant(mayPayFrom)} on.` });
}
