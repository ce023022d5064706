/** Returns the calendar day of an instant in the device's time zone, as a key that groups a list: `2026-03-31`. */
export function dayKey(instant: string): string {
  const date = new Date(instant);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
