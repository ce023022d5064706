import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { ServiceContext } from "./service-context.ts";

/** A caller's operation date may be this far ahead of ours. */
const DATE_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Parses the operation date of a payment or transfer; undefined where none was sent. Adds a fault to `faults` when it
 * is more than 24 hours ahead.
 */
export function readDate(service: ServiceContext, text: string | undefined, faults: Fault[]): Date | undefined {
  if (text === undefined) return undefined;
  const date = service.time.parse(text);
  if (date.getTime() > service.clock().getTime() + DATE_AHEAD_MS) {
    faults.push({ pointer: "/date", detail: "must be at most 24 hours ahead" });
  }
  return date;
}
