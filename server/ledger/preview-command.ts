import type { CommitOptions } from "./commit-batch.ts";
import { decide, type Verdict } from "./decide/decide.ts";
import { type LockSet, lockSetOf, usersOf } from "./decide/lock-set.ts";
import type { Command } from "./model/command.ts";
import { type Changes, openAccount, type PostingTime, type State } from "./model/state.ts";
import { loadState } from "./storage/load-state.ts";

/**
 * The preview of a command: the body of its answer, the state that was read, its moment, and the changes that a commit
 * would write.
 */
export interface Preview {
  /** The answer's body, as the command makes it. */
  readonly body: unknown;
  readonly state: State;
  readonly moment: PostingTime;
  readonly changes: Changes;
}

/** The accounts that exist, and those that a commit of the command would open. */
function withOpened(accounts: State["accounts"], wanted: LockSet["entityAccounts"]): State["accounts"] {
  const opened = [...wanted].map(([id, key]) => [id, openAccount(id, key)] as const);
  return new Map([...opened, ...accounts]);
}

/**
 * Decides one command as a commit would, on one snapshot without locks, and writes nothing: so a preview and the commit
 * follow the same rules. Returns the verdict, which may be a refusal, the state that was read, and the changes that a
 * commit would write.
 */
export async function previewCommand(
  { sql, clock, businessDay, slot, nextId, clockWatch, counterpartyLimit }: CommitOptions,
  command: Command,
): Promise<Omit<Preview, "body"> & { readonly verdict: Verdict }> {
  const now = clock();
  const moment = { now, day: businessDay(now), slot };
  const state = await sql.begin("isolation level repeatable read read only", async (tx) => {
    const rows = await tx<{ id: string; creator_id: string }[]>`
      select id, creator_id from service.users where id = any(${usersOf(command)})`;
    const touched = lockSetOf([command], new Map(rows.map((row) => [row.id, row.creator_id])), moment);
    const reading = { slot, defaultLimit: counterpartyLimit, whole: "all" as const };
    const { clock: told, ...read } = await loadState(tx, touched, { ...reading, locks: false });
    if (told !== undefined) clockWatch?.judge(now, told);
    return { ...read, accounts: withOpened(read.accounts, touched.entityAccounts) };
  });
  const { verdicts, changes } = decide(state, [command], moment, nextId);
  const [verdict] = verdicts;
  if (verdict === undefined) throw new Error("a decision without a verdict");
  return { verdict, state, moment, changes };
}
