/**
 * The name of anything that was thrown; empty for what has none. Engines agree on the names that the standards give to
 * errors, but not on their classes.
 */
export function nameOfError(error: unknown): string {
  const { name } = Object(error) as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}
