import { businessTime } from "../../src/business-time.ts";
import type { TestService } from "./service.ts";

/** The business calendar of the tests' service. */
export const bogota = businessTime("America/Bogota");

const NOON_MS = 12 * 60 * 60 * 1000;

/** The service's business day. */
export function todayOf(service: TestService): string {
  return bogota.dayOf(service.clock());
}

/** Moves the service's clock on to the noon of a business day, or of as many days after today. */
export function goTo(service: TestService, to: string | number): string {
  const day = typeof to === "string" ? to : bogota.addDays(todayOf(service), to);
  service.advance((bogota.startOf(day).getTime() + NOON_MS - service.clock().getTime()) / 1000);
  return day;
}
