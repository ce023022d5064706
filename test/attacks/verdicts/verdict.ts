/** The outcome of a call that names another's things: done for the caller's own, or refused with that status. */
export type Verdict = "allowed" | "own records only" | 401 | 403 | 404 | 409;

/** One contract row's verdicts by principal. */
export type Verdicts<P extends string> = Readonly<Record<P, Verdict>>;

/** A row and a principal that are refused, with the status that says so. */
export interface ForbiddenPair<P extends string, N extends string> {
  readonly principal: P;
  readonly name: N;
  readonly status: number;
}

/** The pairs that a table of verdicts refuses. */
export function forbiddenPairs<P extends string, N extends string>(
  table: Readonly<Record<N, Verdicts<P>>>,
): readonly ForbiddenPair<P, N>[] {
  return (Object.entries(table) as [N, Verdicts<P>][]).flatMap(([name, verdicts]) =>
    (Object.entries(verdicts) as [P, Verdict][]).flatMap(([principal, status]) =>
      typeof status === "number" ? [{ principal, name, status }] : [],
    ),
  );
}
