import { ApiError } from "../../../src/contract/errors.ts";
import { toInstant } from "../broker-context.ts";

/** Refuses what a device that came by a re-enrolment does not do until it may pay; `what` ends "This device may". */
export function refuseNewDevice(mayPayFrom: Date | undefined, now: Date, what: "pay" | "raise limits"): void {
  if (mayPayFrom === undefined || mayPayFrom.getTime() <= now.getTime()) return;
  throw new ApiError("device_too_new", { detail: `This device may ${what} from ${toInstant(mayPayFrom)} on.` });
}
