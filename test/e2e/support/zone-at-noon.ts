/** UTC+0 without summer time; Firefox refuses `Etc/GMT` and `Etc/GMT+0` as an emulated zone. */
const UTC_ZONE = "UTC";

/** A zone where it is about noon, so that today's entries stay today's, and what expires soon expires today. */
export function zoneAtNoon(now: Date): string {
  const hoursWest = now.getUTCHours() - 12;
  return hoursWest === 0 ? UTC_ZONE : `Etc/GMT${hoursWest > 0 ? "+" : ""}${hoursWest}`;
}
