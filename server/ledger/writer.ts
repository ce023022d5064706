import { daysBetween } from "../../src/calendar-day.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { parseExactJson } from "../../src/parse-exact-json.ts";
import { classifyDatabaseError } from "../database/classify-database-error.ts";
import { within } from "../database/within.ts";
import { BatchCommitter, type CommitOptions, CommitUnknownError } from "./commit-batch.ts";
import { CommitDurationEstimate } from "./commit-duration.ts";
import type { Verdict } from "./decide/decide.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Action, Command, Refusal } from "./model/command.ts";
import { idempotencyScope } from "./model/state.ts";
import { type Preview, previewCommand } from "./preview-command.ts";

/** Most commands, and most payments, of one commit; a command is never divided. */
const BATCH_LIMIT = 500;
/** A command whose commit would not begin within this is refused: its caller can do more with an answer. */
const MAX_WAIT_MS = 2_000;
/** The interval of the check for commands that have waited too long. */
const LATE_CHECK_MS = 100;
/** Most commands of one entity that may wait, however fast commits are: they take memory. */
const WAITING_OF_ENTITY_LIMIT = 20_000;
/** Most commands of all entities that may wait: one entity alone does not fill it. */
const WAITING_ROOM_LIMIT = 60_000;
/** Tries of one batch after deadlocks and serialization failures. */
const TRIES = 5;
const COPY_WAIT_MS = 10_000;

/**
 * The answer to a command: its body, and `replayed`, true if it repeats the stored answer of an earlier request with
 * the same idempotency key.
 */
export interface Posted {
  readonly body: unknown;
  readonly replayed: boolean;
}

/** The dependencies of a writer. */
export interface WriterOptions extends CommitOptions {
  /** How long a copy of a request waits for the first one's answer. Default: 10 s. */
  readonly copyWaitMs?: number;
  /** How long a command may wait until its commit begins. Default: 2 s. */
  readonly maxWaitMs?: number;
  /** Milliseconds from any fixed point, which never go back. Default: those of the clock. */
  readonly now?: () => number;
}

/** The counters of a writer, for the metrics. */
export interface WriterFigures {
  readonly waiting: number;
  readonly commits: number;
  readonly commands: number;
  readonly retries: number;
}

interface QueuedCommand {
  readonly command: Command;
  /** Its amount of work, in payments. */
  readonly size: number;
  readonly since: number;
  readonly resolve: (posted: Posted) => void;
  readonly reject: (error: unknown) => void;
}

function refusalError(refusal: Refusal, replayed: boolean): ApiError {
  return new ApiError(refusal.code, { detail: refusal.detail, faults: refusal.faults ?? [], replayed });
}

function postedOf(verdict: Verdict): Posted {
  if (verdict.type === "done") return { body: verdict.body, replayed: false };
  if (verdict.type === "refused") throw refusalError(verdict.refusal, false);
  if ("refusal" in verdict.answer) throw refusalError(JSON.parse(verdict.answer.refusal) as Refusal, true);
  return { body: parseExactJson(verdict.answer.body), replayed: true };
}

function tell(ticket: QueuedCommand, verdict: Verdict): void {
  try {
    ticket.resolve(postedOf(verdict));
  } catch (error) {
    ticket.reject(error);
  }
}

/** A day's interest of a credit costs a fraction of a payment. */
const ACCRUED_DAYS_PER_PAYMENT = 5;

/** The amount of work of a command, in payments: a commit of many large ones would outlast its time limit. */
function sizeOf({ action }: Command, today: () => string): number {
  if (action.type === "batch") return action.items.length;
  if (action.type === "accrue" || action.type === "reverse-accruals") return action.credits.length;
  if (action.type !== "import-credit") return 1;
  return 1 + Math.max(0, daysBetween(action.accruedThrough, today())) / ACCRUED_DAYS_PER_PAYMENT;
}

/** True for the service's own work: no caller waits for its answer, so it may wait as long as it must. */
function isOwnWork({ action }: Command): boolean {
  return action.type === "accrue" || action.type === "lapse";
}

function scopeOf({ origin }: Command): string | undefined {
  return origin.idempotency && idempotencyScope(origin, origin.idempotency.key);
}

/**
 * The single writer of a process to the ledger: commands that arrive during one commit go together into the next, up to
 * a limit of work and the entities by turns, without a timer. Each command is answered after its commit.
 */
export class Writer {
  readonly #committer: BatchCommitter;
  readonly #options: CommitOptions;
  readonly #copyWaitMs: number;
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #pace: CommitDurationEstimate;
  readonly #waiting = new FairQueue<QueuedCommand>();
  readonly #inFlight = new Set<string>();
  #running: Promise<void> | undefined;
  #closed = false;
  #commits = 0;
  #commands = 0;
  #retries = 0;

  constructor({ copyWaitMs = COPY_WAIT_MS, maxWaitMs = MAX_WAIT_MS, now, ...options }: WriterOptions) {
    this.#committer = new BatchCommitter(options);
    this.#options = options;
    this.#copyWaitMs = copyWaitMs;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now ?? (() => options.clock().getTime());
    this.#pace = new CommitDurationEstimate(maxWaitMs);
  }

  /** How many commands wait, how many were committed in how many commits, and how many of these were tried again. */
  get figures(): WriterFigures {
    const waiting = this.#waiting.length;
    return { waiting, commits: this.#commits, commands: this.#commands, retries: this.#retries };
  }

  /**
   * Carries out a command; throws `ApiError` for refusals, and 503 when it would wait too long (nothing was committed),
   * or when the outcome of its commit is unknown.
   */
  async post<A extends Action>(command: Command<A>): Promise<Posted> {
    const plain = command as unknown as Command;
    if (this.#closed || this.#isFullFor(plain)) throw this.#refusalOf(plain);
    const scope = scopeOf(plain);
    if (scope === undefined) return this.#enqueue(plain);
    if (this.#inFlight.has(scope)) return this.#enqueueCopy(plain);
    this.#inFlight.add(scope);
    try {
      return await this.#enqueue(plain);
    } finally {
      this.#inFlight.delete(scope);
    }
  }

  /** Previews a command: decides it as `post` would now, and writes nothing; throws as `post` does. */
  async preview<A extends Action>(command: Command<A>): Promise<Preview> {
    const { verdict, ...preview } = await previewCommand(this.#options, command as unknown as Command);
    return { ...preview, body: postedOf(verdict).body };
  }

  /** Resolves when everything that was accepted is answered; later commands are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #isFullFor(command: Command): boolean {
    const { entityId } = command.origin;
    if (this.#waiting.lengthOf(entityId) >= WAITING_OF_ENTITY_LIMIT) return true;
    if (this.#waiting.length >= WAITING_ROOM_LIMIT) return true;
    return !isOwnWork(command) && this.#waitMsOf(entityId) > this.#maxWaitMs;
  }

  /** Estimates, from recent commits, how long a command of the entity would wait now for its commit to begin. */
  #waitMsOf(entityId: string): number {
    const commits = Math.floor(this.#waiting.sizeBefore(entityId) / BATCH_LIMIT);
    return this.#pace.leftMs(this.#now()) + commits * this.#pace.msOf(BATCH_LIMIT);
  }

  /** Makes a refusal whose `Retry-After` is when the commands that wait now will have been served. */
  #refusalOf({ origin }: Command): ApiError {
    return new ApiError("unavailable", { retryAfter: Math.max(1, Math.ceil(this.#waitMsOf(origin.entityId) / 1000)) });
  }

  #enqueue(command: Command): Promise<Posted> {
    const { businessDay, clock } = this.#options;
    const size = sizeOf(command, () => businessDay(clock()));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, size, since: this.#now(), resolve, reject });
      this.#running ??= Promise.resolve().then(() => this.#run());
    });
  }

  #enqueueCopy(command: Command): Promise<Posted> {
    const detail = "The first request with this idempotency key is still running: ask again with the same key.";
    const late = () => new ApiError("request_in_progress", { detail, retryAfter: 1 });
    return within(this.#copyWaitMs, this.#enqueue(command), late);
  }

  async #run(): Promise<void> {
    const looking = setInterval(() => this.#refuseLate(), LATE_CHECK_MS);
    try {
      for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
        const size = batch.reduce((sum, ticket) => sum + ticket.size, 0);
        this.#pace.begin(size, this.#now());
        await this.#carryOut(batch);
        this.#pace.end(this.#now());
      }
    } finally {
      clearInterval(looking);
      this.#running = undefined;
    }
  }

  #nextBatch(): readonly QueuedCommand[] {
    this.#refuseLate();
    return this.#waiting.take(BATCH_LIMIT);
  }

  /** Refuses commands that have waited too long, contrary to the estimate at their arrival. */
  #refuseLate(): void {
    const lastChance = this.#now() - this.#maxWaitMs;
    const late = this.#waiting.drop(({ command, since }) => since < lastChance && !isOwnWork(command));
    for (const { command, reject } of late) reject(this.#refusalOf(command));
  }

  async #carryOut(batch: readonly QueuedCommand[]): Promise<void> {
    try {
      const verdicts = await this.#commit(batch.map((ticket) => ticket.command));
      for (const [index, ticket] of batch.entries()) tell(ticket, verdicts[index] as Verdict);
    } catch (error) {
      await this.#recover(batch, error);
    }
  }

  /**
   * A lost connection may have lost the answer of a commit that took place: such a batch is never sent again. Any other
   * failure committed nothing: its commands are retried by entity, and those of an entity that fails again one at a
   * time, so that a bad command fails no other, and delays hardly any entity but its own.
   */
  async #recover(batch: readonly QueuedCommand[], error: unknown): Promise<void> {
    if (error instanceof ApiError) {
      // The clock, or a process that stalled: the cause is transient, and no command's fault.
      for (const ticket of batch) ticket.reject(error);
      return;
    }
    const isAway = error instanceof CommitUnknownError || classifyDatabaseError(error).kind === "away";
    if (batch.length === 1 || isAway) {
      const told = isAway ? new ApiError("unavailable", { retryAfter: 1, cause: error }) : error;
      for (const ticket of batch) ticket.reject(told);
      return;
    }
    const byEntity = [...Map.groupBy(batch, ({ command }) => command.origin.entityId).values()];
    const parts = byEntity.length > 1 ? byEntity : batch.map((ticket) => [ticket]);
    for (const part of parts) await this.#carryOut(part);
  }

  /** Commits; retries a bounded number of times after a conflict with another process (deadlock, same key or nit). */
  async #commit(commands: readonly Command[]): Promise<readonly Verdict[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const verdicts = await this.#committer.commit(commands);
        this.#commits += 1;
        this.#commands += commands.length;
        return verdicts;
      } catch (error) {
        const { kind } = classifyDatabaseError(error);
        if (attempt === TRIES || (kind !== "retry" && kind !== "unique")) throw error;
        this.#retries += 1;
      }
    }
  }
}
