import { decide, type Verdict } from "../../server/ledger/decide/decide.ts";
import type { Command, TransactionRecord, TransferRecord } from "../../server/ledger/model/command.ts";
import type { LedgerEntry, Posting, State } from "../../server/ledger/model/state.ts";
import { countingIds } from "../support/ledger.ts";
import { applyChanges, MOMENT } from "../support/ledger-fixture.ts";
import type { History } from "./history.ts";

/** The result of a history: the tables afterwards, and everything that was appended on the way. */
export interface Decided {
  readonly state: State;
  readonly verdicts: readonly Verdict[];
  readonly postings: readonly Posting[];
  readonly entries: readonly LedgerEntry[];
  readonly transactions: readonly TransactionRecord[];
  readonly transfers: readonly TransferRecord[];
}

/** Decides a history in batches that end before each of the cuts. */
export function decideAll({ fixture, commands }: History, cuts: readonly number[] = []): Decided {
  const ends = [...new Set(cuts), commands.length].sort((left, right) => left - right);
  const nextId = countingIds();
  const nothing = { verdicts: [], postings: [], entries: [], transactions: [], transfers: [] };
  let decided: Decided = { state: fixture.state, ...nothing };
  let start = 0;
  for (const end of ends) {
    decided = decideBatch(decided, commands.slice(start, end), nextId);
    start = end;
  }
  return decided;
}

function decideBatch(before: Decided, commands: readonly Command[], nextId: () => string): Decided {
  const { verdicts, changes } = decide(before.state, commands, MOMENT, nextId);
  return {
    state: applyChanges(before.state, changes),
    verdicts: [...before.verdicts, ...verdicts],
    postings: [...before.postings, ...changes.postings],
    entries: [...before.entries, ...changes.entries],
    transactions: [...before.transactions, ...changes.transactions],
    transfers: [...before.transfers, ...changes.transfers],
  };
}

function batchOutcome(records: readonly TransactionRecord[]): string {
  const told = records.map(({ reason, status }) => reason ?? status);
  const failed = told.findIndex((word) => word !== "approved" && word !== "rejected");
  const rest = new Set(told.filter((_, index) => index !== failed));
  if (failed === -1) return `batch ${[...rest].join()}`;
  return `batch ${told[failed]} at ${failed}${rest.has("approved") ? ", others approved" : ""}`;
}

/** One word for the outcome of a command: status or reason of what moves money, code of a refusal, or how it went. */
export function outcomeOf(verdict: Verdict): string {
  if (verdict.type === "refused") return verdict.refusal.code;
  if (verdict.type === "replayed") return "replayed";
  if (Array.isArray(verdict.body)) return batchOutcome(verdict.body as readonly TransactionRecord[]);
  const { reason, status, amount } = verdict.body as Partial<TransactionRecord>;
  return amount === undefined ? "done" : (reason ?? status ?? "done");
}
