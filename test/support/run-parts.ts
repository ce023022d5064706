/** Names the address of the run's parts to the processes of its tests. */
export const RUN_PARTS = "CUPO_TEST_RUN";

/** A part of a run that its tests share: the PostgreSQL of their databases, or an empty cluster to copy. */
export type RunPart = "database" | "cluster";

/** A part that was made: its address or folder, and its end. */
export interface MadePart {
  readonly place: string;
  end(): Promise<void> | void;
}

/**
 * Returns the place of a part of this run, which the first test that asks for it waits for. Undefined outside of a run
 * and in the project `unit`.
 */
export async function runPart(part: RunPart): Promise<string | undefined> {
  const address = process.env[RUN_PARTS];
  if (address === undefined) return undefined;
  const answer = await fetch(`${address}/${part}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The run has no ${part}: ${text}`);
  return text;
}
