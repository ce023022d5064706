/** Formats a moment as `hoy, 14:32` if the caller gives the word for today, or else with its day. */
export function formatTime(moment: Date, locale: string, today?: string): string {
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  if (today === undefined) return moment.toLocaleString(locale, { day: "numeric", month: "short", ...clock });
  return `${today}, ${moment.toLocaleTimeString(locale, clock)}`;
}
