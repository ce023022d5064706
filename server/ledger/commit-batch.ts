import { ApiError } from "../../src/contract/shared/errors.ts";
import { isCommitUnknown } from "../database/classify-database-error.ts";
import type { Sql } from "../database/connect.ts";
import { within } from "../database/within.ts";
import type { ClockWatch } from "./clock-watch.ts";
import { decide, type Verdict } from "./decide/decide.ts";
import { type LockSet, lockSetOf, usersOf } from "./decide/lock-set.ts";
import type { Command } from "./model/command.ts";
import { directionKey } from "./model/exposure.ts";
import type { IdempotencyRecord } from "./model/state.ts";
import type { ToldClock } from "./storage/clock-marks.ts";
import { openSlices } from "./storage/load-exposures.ts";
import { loadState } from "./storage/load-state.ts";
import { tellOpen } from "./storage/open-writers.ts";
import { drawVersion, openEntityAccounts, type SaveOptions, saveChanges } from "./storage/save-changes.ts";

/** Most users' creators, and most opened accounts, that are cached; neither ever changes. */
const MEMORY_LIMIT = 200_000;

/** Thrown when no certain answer came to a commit: its outcome is unknown, so the batch must not be sent again. */
export class CommitUnknownError extends Error {
  override readonly name = "CommitUnknownError";
}

/** The dependencies and limits of a {@link BatchCommitter}. */
export interface CommitOptions {
  readonly sql: Sql;
  /** The connections of the commits, where they have their own. Default: `sql`. */
  readonly writeSql?: Sql;
  readonly clock: () => Date;
  /** Fresh ids, each greater than the one before (UUIDv7): lists go by id, so ids are drawn under the locks. */
  readonly nextId: () => string;
  /** The business day of an instant, `YYYY-MM-DD`. */
  readonly businessDay: (now: Date) => string;
  /** 0 to 15, drawn when the process starts. */
  readonly slot: number;
  /** The limit of one entity's exposure to another where the creditor set none, in minor units. */
  readonly counterpartyLimit: bigint;
  readonly eventBody: SaveOptions["eventBody"];
  /** Called after a commit that stored events, so that they can be delivered at once. */
  readonly onEvents?: () => void;
  /** Compares our clock with the database's at every commit. Default: no comparison. */
  readonly clockWatch?: Pick<ClockWatch, "judge">;
  /** True for a batch whose rows are to be taken for other than remembered, so that tests see what follows. */
  readonly isDoubted?: () => boolean;
  /** Called after a batch was committed with locks, with what was read and written meanwhile. */
  readonly onCommitted?: (committed: Committed) => void;
  /** Timeout of a commit. Default: 35 s, above the statement timeout. */
  readonly commitWithinMs?: number;
}

/** A database that hangs enforces no timeout of its own; this one is ours. */
export const COMMIT_WITHIN_MS = 35_000;
/** A batch that took longer to be written, after its ids were drawn, is given up. */
const SAVE_WITHIN_MS = 30_000;

const NONE: ReadonlySet<string> = new Set();

/** Rows that a batch writes to and that may not exist yet. */
interface Unopened {
  readonly accounts: LockSet["entityAccounts"];
  readonly directions: LockSet["directions"];
}

/** Readings of the database's clock, and those of our wall clock and of `performance.now()` at the same time. */
export interface Told {
  readonly clock: ToldClock;
  readonly at: Date;
  readonly atMs: number;
}

/** A batch that was committed with locks. */
export interface Committed {
  readonly verdicts: readonly Verdict[];
  readonly touched: LockSet;
  /** The clock readings that were taken with the locks, and our clock then; undefined where none were taken. */
  readonly told: Told | undefined;
  /** The answers of the idempotency keys that the batch named. */
  readonly answers: ReadonlyMap<string, IdempotencyRecord>;
  readonly hasEvents: boolean;
}

/** The rows that a batch needs, on the business day for which they were gathered. */
export interface Touched {
  readonly touched: LockSet;
  readonly openedAt: Date;
  readonly day: string;
}

/** The inputs of writing a batch. */
interface Writing {
  readonly touched: LockSet;
  readonly unopened: Unopened;
  readonly openedAt: Date;
  readonly day: string;
  readonly whole: ReadonlySet<string>;
}

/** Nothing was written: the batch is decided anew, with all of the limits that its writer's slices were short of. */
interface Again {
  readonly shortOf: ReadonlySet<string>;
}

/** Commits batches: lock, decide, write, in one database transaction each. */
export class BatchCommitter {
  readonly #options: CommitOptions;
  readonly #creators = new Map<string, string>();
  readonly #opened = new Set<string>();

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  /**
   * Commits the commands and returns their verdicts in order. Throws when nothing was committed, and
   * {@link CommitUnknownError} when the outcome is unknown.
   */
  commit(commands: readonly Command[]): Promise<readonly Verdict[]> {
    const late = () => new CommitUnknownError("the database did not answer in time");
    return within(this.#options.commitWithinMs ?? COMMIT_WITHIN_MS, this.#commitOnce(commands), late);
  }

  /** The rows that the commands need when they are decided today. */
  async touchedBy(commands: readonly Command[]): Promise<Touched> {
    await this.#learnCreators(commands);
    const { clock, businessDay, slot } = this.#options;
    const openedAt = clock();
    const day = businessDay(openedAt);
    return { openedAt, day, touched: lockSetOf(commands, this.#creators, { day, slot }) };
  }

  /** `whole`: limits between entities that the batch divides anew, because its writer's slices did not suffice. */
  async #commitOnce(commands: readonly Command[], whole: ReadonlySet<string> = NONE): Promise<readonly Verdict[]> {
    const { openedAt, day, touched } = await this.touchedBy(commands);
    const unopened = this.#unopenedOf(touched);
    const written = await this.#write(commands, { touched, unopened, openedAt, day, whole });
    if (this.#opened.size > MEMORY_LIMIT) this.#opened.clear();
    for (const id of unopened.accounts.keys()) this.#opened.add(id);
    for (const direction of unopened.directions) this.#opened.add(directionKey(direction));
    if ("shortOf" in written) return this.#commitOnce(commands, new Set([...whole, ...written.shortOf]));
    // A failure there is none of the batch, which is committed.
    queueMicrotask(() => {
      this.#options.onCommitted?.(written);
      if (written.hasEvents) this.#options.onEvents?.();
    });
    return written.verdicts;
  }

  #unopenedOf({ entityAccounts, directions }: LockSet): Unopened {
    return {
      accounts: new Map([...entityAccounts].filter(([id]) => !this.#opened.has(id))),
      directions: directions.filter((direction) => !this.#opened.has(directionKey(direction))),
    };
  }

  /** One database transaction, which is given up when the business day turned while it waited, or slices are short. */
  async #write(
    commands: readonly Command[],
    { touched, unopened, openedAt, day, whole }: Writing,
  ): Promise<Committed | Again> {
    const { clock, nextId, businessDay, slot, eventBody, clockWatch, counterpartyLimit } = this.#options;
    const { sql, writeSql = sql } = this.#options;
    try {
      return await writeSql.begin("isolation level read committed", async (tx) => {
        const [, , , state] = await Promise.all([
          tellOpen(tx, openedAt),
          openEntityAccounts(tx, unopened.accounts),
          openSlices(tx, unopened.directions, slot),
          loadState(tx, touched, { slot, defaultLimit: counterpartyLimit, whole, locks: true }),
        ]);
        const [now, atMs] = [clock(), performance.now()];
        if (businessDay(now) !== day) return { shortOf: NONE };
        const isClockSure = state.clock === undefined || clockWatch?.judge(now, state.clock) !== false;
        const moment = { now, day, slot, isClockSure };
        const { verdicts, changes, shortOf } = decide(state, commands, moment, nextId);
        if (shortOf.size > 0) return { shortOf };
        if (clock().getTime() - now.getTime() > SAVE_WITHIN_MS) throw new ApiError("unavailable", { retryAfter: 1 });
        saveChanges(tx, changes, { moment, eventBody, version: drawVersion() });
        const told = state.clock && { clock: state.clock, at: now, atMs };
        const answers = new Map([...state.idempotency, ...changes.idempotency]);
        return { verdicts, touched, told, answers, hasEvents: changes.events.length > 0 };
      });
    } catch (error) {
      // A standby that took over may lack the latest accounts: the cache is valid until the first failure.
      this.#opened.clear();
      if (!isCommitUnknown(error)) throw error;
      throw new CommitUnknownError("no certain answer came to a commit", { cause: error });
    }
  }

  /** Learns who created the users of a batch, so that the books it touches are known before anything is locked. */
  async #learnCreators(commands: readonly Command[]): Promise<void> {
    if (this.#creators.size > MEMORY_LIMIT) this.#creators.clear();
    const unknown = [...new Set(commands.flatMap(usersOf))].filter((id) => !this.#creators.has(id));
    if (unknown.length === 0) return;
    const rows = await this.#options.sql<{ id: string; creator_id: string }[]>`
      select id, creator_id from service.users where id = any(${unknown})`;
    for (const row of rows) this.#creators.set(row.id, row.creator_id);
  }
}
