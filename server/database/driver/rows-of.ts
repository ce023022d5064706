import type { Answer } from "./statement-group.ts";

/** The rows of an answer with their `count`; of a script of several statements, those of each. */
export function rowsOf(answer: Answer | readonly Answer[]): readonly unknown[] {
  if (!("rows" in answer)) return answer.map(rowsOf);
  // Not enumerable, so that the rows equal a list of rows.
  return Object.defineProperty(answer.rows, "count", { value: answer.rowCount ?? 0 });
}
