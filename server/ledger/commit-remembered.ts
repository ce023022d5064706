import { ApiError } from "../../src/contract/shared/errors.ts";
import { isCommitUnknown } from "../database/classify-database-error.ts";
import type { ReservedSql } from "../database/connect.ts";
import { within } from "../database/within.ts";
import {
  COMMIT_WITHIN_MS,
  type CommitOptions,
  type Committed,
  CommitUnknownError,
  type Told,
  type Touched,
} from "./commit-batch.ts";
import { type Decision, decide, type Verdict } from "./decide/decide.ts";
import type { LockSet } from "./decide/lock-set.ts";
import { RememberedState } from "./memory/remembered-state.ts";
import type { Command } from "./model/command.ts";
import type { PostingTime } from "./model/state.ts";
import { checkRemembered, type ExpectedClock, ON_ITS_WAY_MS } from "./storage/check-remembered.ts";
import { type ToldClock, type ToldClockRow, toldClockOf } from "./storage/clock-marks.ts";
import { loadState } from "./storage/load-state.ts";
import { tellOpen } from "./storage/open-writers.ts";
import { drawVersion, saveChanges } from "./storage/save-changes.ts";

/** Thrown when nothing of a batch was written: it is committed with locks instead. */
export class NotAsRememberedError extends Error {
  override readonly name = "NotAsRememberedError";
}

/** A batch that was decided on remembered rows. */
interface Decided extends Pick<Decision, "verdicts" | "changes"> {
  readonly moment: PostingTime;
  readonly clock: ExpectedClock;
}

/** A batch that is on its way; the answer comes with its commit. */
export interface SentBatch {
  readonly answer: Promise<readonly Verdict[]>;
}

/** A batch that is not prepared within this is refused: its callers can do more with an answer. */
const PREPARED_WITHIN_MS = 2_000;
/** Reads of missing rows before a batch is committed with locks. */
const MOST_READS = 3;
/** How far our wall clock may run from the time that passes before the database's is to be told anew. */
const STRAY_MS = 500;
const NO_DIRECTIONS: ReadonlySet<string> = new Set();

/**
 * Commits batches on remembered rows: each is decided at once and sent as one transaction in one round trip, which
 * fails unless every row that the decision read has the version that it is remembered by. So several are under way,
 * each decided on what those before it leave. The rows of one that fails are forgotten, and it is committed with locks.
 */
export class RememberedCommits {
  readonly #options: CommitOptions;
  readonly #memory = new RememberedState();
  /** The clock readings as they were told last. */
  #told: Told | undefined;
  #connection: ReservedSql | undefined;
  #underWay = 0;

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  /**
   * Decides a batch and sends it. Returns undefined for one that needs locks: it reads rows that are not remembered,
   * opens accounts, or divides a limit anew. The answer fails with {@link NotAsRememberedError} when nothing was
   * written, and with {@link CommitUnknownError} when the outcome is unknown.
   */
  async send(
    commands: readonly Command[],
    touchedBy: (commands: readonly Command[]) => Promise<Touched>,
  ): Promise<SentBatch | undefined> {
    if (!RememberedState.suffices(commands)) return undefined;
    this.#underWay += 1;
    const prepared = this.#prepare(commands, touchedBy);
    try {
      const late = () => new ApiError("unavailable", { retryAfter: 1 });
      const ready = await within(PREPARED_WITHIN_MS, prepared, late);
      if (ready === undefined) return undefined;
      const decided = this.#decide(commands, ready.day);
      return decided && { answer: this.#commit(ready.connection, ready.touched, decided) };
    } catch (error) {
      // Nothing was sent, and its callers have waited long enough.
      if (error instanceof ApiError) return { answer: Promise.reject(error) };
      throw error;
    } finally {
      prepared.catch(() => undefined).finally(() => this.#done());
    }
  }

  /** Reads what a batch needs; undefined for one that needs locks. */
  async #prepare(
    commands: readonly Command[],
    touchedBy: (commands: readonly Command[]) => Promise<Touched>,
  ): Promise<(Touched & { readonly connection: ReservedSql }) | undefined> {
    const touched = await touchedBy(commands);
    const { sql, writeSql = sql } = this.#options;
    const connection = this.#connection ?? (await writeSql.reserve());
    this.#connection = connection;
    if (!connection.isReusable || this.#memory.isFull) return undefined;
    if (connection.openedAtMs > this.#memory.sinceMs) this.#memory.clear();
    return (await this.#recall(connection, touched.touched)) ? { ...touched, connection } : undefined;
  }

  /** Forgets the rows of a batch that was committed with locks, and keeps its answers and clock readings. */
  learn({ touched, answers, told = this.#told }: Committed): void {
    this.#memory.forget(touched);
    this.#memory.answer(answers);
    this.#told = told;
  }

  /**
   * Reads what is not remembered, behind the batches that are under way. Returns false if accounts are to be opened, or
   * rows are forgotten all the time.
   */
  async #recall(connection: ReservedSql, touched: LockSet): Promise<boolean> {
    const { slot, counterpartyLimit: defaultLimit } = this.#options;
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const missing = this.#memory.missingOf(touched);
      const { forgotten } = this.#memory;
      if (missing !== undefined) {
        const reading = { slot, defaultLimit, whole: NO_DIRECTIONS, locks: false };
        const read = await loadState(connection, missing, reading);
        if (forgotten !== this.#memory.forgotten) continue;
        this.#memory.learn(read);
        if (read.clock !== undefined) this.#tell(read.clock);
      }
      return this.#memory.hasOpened(touched);
    }
    return false;
  }

  #decide(commands: readonly Command[], day: string): Decided | undefined {
    const { clock, nextId, businessDay, slot } = this.#options;
    const now = clock();
    if (this.#told === undefined || businessDay(now) !== day) return undefined;
    const { at, atMs, clock: told } = this.#told;
    const passedMs = performance.now() - atMs;
    // The machine slept, or its clock was set: a commit with locks is told the database's anew, and judges by that.
    if (Math.abs(now.getTime() - at.getTime() - passedMs) > STRAY_MS) return undefined;
    const { mark } = told;
    const databaseAt = new Date(told.databaseAt.getTime() + passedMs);
    const isClockSure = this.#judge(now, { databaseAt, mark });
    if (isClockSure === undefined) return undefined;
    const moment = { now, day, slot, isClockSure };
    this.#memory.reread();
    const { verdicts, changes, shortOf } = decide(this.#memory, commands, moment, nextId);
    if (shortOf.size > 0) return undefined;
    return { verdicts, changes, moment, clock: { databaseAt, markId: mark?.id ?? null } };
  }

  #tell(clock: ToldClock): void {
    this.#told = { clock, at: this.#options.clock(), atMs: performance.now() };
  }

  /** Undefined where the clocks are apart: a commit with locks judges by what it is told. */
  #judge(now: Date, told: ToldClock): boolean | undefined {
    try {
      return this.#options.clockWatch?.judge(now, told) !== false;
    } catch {
      this.#memory.clear();
      return undefined;
    }
  }

  async #commit(
    connection: ReservedSql,
    touched: LockSet,
    { verdicts, changes, moment, clock }: Decided,
  ): Promise<readonly Verdict[]> {
    this.#underWay += 1;
    try {
      const answers = await this.#written(connection, touched, { changes, moment, clock });
      // A failure there is none of the batch, which is committed.
      queueMicrotask(() => {
        const told = answers.flat().find((row) => "databaseAt" in row) as unknown as ToldClockRow;
        this.#tell(toldClockOf(told));
        this.#memory.answer(changes.idempotency);
        if (changes.events.length > 0) this.#options.onEvents?.();
      });
      return verdicts;
    } finally {
      this.#done();
    }
  }

  /** Writes a batch; returns the rows of its statements. */
  async #written(
    connection: ReservedSql,
    touched: LockSet,
    { changes, moment, clock }: Omit<Decided, "verdicts">,
  ): Promise<readonly (readonly object[])[]> {
    const { eventBody, commitWithinMs = COMMIT_WITHIN_MS, isDoubted } = this.#options;
    const version = drawVersion();
    const expected = this.#memory.expected();
    let isSent = false;
    try {
      this.#memory.change(changes, version);
      const sent = connection.together((tx) => {
        tellOpen(tx, moment.now, ON_ITS_WAY_MS).execute();
        const told = isDoubted?.() ? { ...clock, markId: -1n } : clock;
        const keys = touched.keys.map((key) => ({ ...key, fingerprint: this.#memory.fingerprintOf(key) }));
        for (const check of checkRemembered(tx, { ...expected, keys }, moment.slot, told)) check.execute();
        saveChanges(tx, changes, { moment, eventBody, version });
        isSent = true;
      });
      const late = () => new CommitUnknownError("the database did not answer in time");
      return await within(commitWithinMs, sent, late);
    } catch (error) {
      const failure = this.#fail(isSent, error);
      if (failure instanceof NotAsRememberedError) this.#memory.forget(touched, { expected, changes });
      throw failure;
    }
  }

  #fail(isSent: boolean, error: unknown): Error {
    if (isSent && (error instanceof CommitUnknownError || isCommitUnknown(error))) {
      this.#memory.clear();
      // It may be answered at any time: no other batch is to wait behind it.
      this.#connection?.discard();
      return new CommitUnknownError("no certain answer came to a commit", { cause: error });
    }
    return new NotAsRememberedError("the batch is committed with locks", { cause: error });
  }

  /** With nothing under way the connection may be renewed, and rows that are too many may be forgotten. */
  #done(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    this.#connection?.release();
    this.#connection = undefined;
    if (this.#memory.isFull) this.#memory.clear();
  }
}
