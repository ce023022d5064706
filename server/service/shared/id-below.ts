/**
 * Returns a text below every id (UUIDv7) that is drawn from an instant on, and above all that were drawn before: to
 * look for rows by time.
 */
export function idUpperBound(instantMs: number): string {
  const hex = Math.max(0, instantMs).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
