import "./arrivals-section.ts";
import "./changes-section.ts";
import "./devices-section.ts";
import "./freeze-section.ts";
import "./install-section.ts";
import "./limits-section.ts";
import "./selling-section.ts";
import "./sessions-section.ts";
import "./settings-section.ts";

/** Tags of the profile's sections, in the order in which they are shown; the page gives each element its context. */
export const profileSections = Object.freeze([
  "cupo-selling-section",
  "cupo-devices-section",
  "cupo-sessions-section",
  "cupo-limits-section",
  "cupo-arrivals-section",
  "cupo-settings-section",
  "cupo-install-section",
  "cupo-changes-section",
  "cupo-freeze-section",
] as const);
