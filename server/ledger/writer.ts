import { ApiError } from "../../src/contract/shared/errors.ts";
import { classifyDatabaseError } from "../database/classify-database-error.ts";
import { within } from "../database/within.ts";
import { BatchCommitter, type CommitOptions, CommitUnknownError } from "./commit-batch.ts";
import { CommitDurationEstimate, type TimedCommit } from "./commit-duration.ts";
import { NotAsRememberedError, RememberedCommits, type SentBatch } from "./commit-remembered.ts";
import type { Verdict } from "./decide/decide.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Action, Command } from "./model/command.ts";
import { type Preview, previewCommand } from "./preview-command.ts";
import { isOwnWork, type Posted, postedOf, type QueuedCommand, scopeOf, sizeOf, tellAll } from "./queued-command.ts";
import { RefusalBackOff } from "./refusal-back-off.ts";

/** Most commands, and most payments, of one commit; a command is never divided. */
const BATCH_LIMIT = 500;
/** A batch this small is not divided: most of what its commit costs does not depend on its size. */
const SMALL_BATCH = 64;
/** A command whose commit would not begin within this is refused: its caller can do more with an answer. */
const MAX_WAIT_MS = 2_000;
/** The interval of the check for commands that have waited too long. */
const LATE_CHECK_MS = 100;
/** Most commands of one entity that may wait, however fast commits are: they take memory. */
const WAITING_OF_ENTITY_LIMIT = 20_000;
/** Most commands of all entities that may wait: one entity alone does not fill it. */
const WAITING_ROOM_LIMIT = 60_000;
/** Batches under way at a time: the next is decided while PostgreSQL commits the one before. */
const MOST_UNDER_WAY = 2;
/** Nothing is sent behind commits that take longer together: it would reach the database long after its decision. */
const MOST_UNDER_WAY_MS = 1_000;
/** Tries of one batch after deadlocks and serialization failures. */
const TRIES = 5;
const COPY_WAIT_MS = 10_000;

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
  /** Commits on remembered rows, without locks. */
  readonly remembered: number;
  /** Batches whose rows were not as remembered, and that were committed with locks. */
  readonly refused: number;
}

/**
 * The single writer of a process to the ledger: commands that arrive during one commit go together into the next, up to
 * a limit of work and the entities by turns, without a timer. Each command is answered after its commit.
 */
export class Writer {
  readonly #committer: BatchCommitter;
  readonly #remembered: RememberedCommits;
  readonly #underWay = new Set<Promise<void>>();
  readonly #answering = new Set<Promise<void>>();
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
  #rememberedCommits = 0;
  #refused = 0;
  #isCautious = false;
  readonly #backOff = new RefusalBackOff();

  constructor({ copyWaitMs = COPY_WAIT_MS, maxWaitMs = MAX_WAIT_MS, now, ...options }: WriterOptions) {
    this.#remembered = new RememberedCommits(options);
    this.#committer = new BatchCommitter({ ...options, onCommitted: (committed) => this.#remembered.learn(committed) });
    this.#options = options;
    this.#copyWaitMs = copyWaitMs;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now ?? (() => options.clock().getTime());
    this.#pace = new CommitDurationEstimate(maxWaitMs);
  }

  /** How many commands wait, how many were committed in how many commits, and how many of these were tried again. */
  get figures(): WriterFigures {
    const [waiting, commits, commands, retries] = [this.#waiting.length, this.#commits, this.#commands, this.#retries];
    return { waiting, commits, commands, retries, remembered: this.#rememberedCommits, refused: this.#refused };
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
    await Promise.all(this.#underWay);
    await Promise.all(this.#answering);
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
      await this.#untilReady();
      for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
        const size = batch.reduce((sum, ticket) => sum + ticket.size, 0);
        await this.#begin(batch, this.#pace.begin(size, this.#now()));
        await this.#untilReady();
      }
    } finally {
      clearInterval(looking);
      this.#running = undefined;
    }
  }

  /** Sends a batch on remembered rows, and returns when the next may be taken; one that needs locks is carried out. */
  async #begin(batch: readonly QueuedCommand[], timed: TimedCommit): Promise<void> {
    const sent = this.#backOff.next() ? await this.#send(batch) : undefined;
    if (sent === undefined) {
      await this.#carryOut(batch);
      this.#pace.end(timed, this.#now());
      return;
    }
    const finished = this.#finish(batch, timed, sent).finally(() => this.#underWay.delete(finished));
    this.#underWay.add(finished);
  }

  async #send(batch: readonly QueuedCommand[]): Promise<SentBatch | undefined> {
    try {
      const commands = batch.map((ticket) => ticket.command);
      return await this.#remembered.send(commands, (each) => this.#committer.touchedBy(each));
    } catch {
      // Nothing was sent: the commit with locks succeeds, or fails for the same reason.
      return undefined;
    }
  }

  async #finish(batch: readonly QueuedCommand[], timed: TimedCommit, { answer }: SentBatch): Promise<void> {
    try {
      const verdicts = await answer;
      this.#count(batch);
      this.#rememberedCommits += 1;
      this.#backOff.succeed();
      this.#answer(batch, verdicts);
    } catch (error) {
      if (!(error instanceof NotAsRememberedError)) return this.#recover(batch, error);
      this.#refused += 1;
      this.#isCautious = true;
      this.#backOff.fail();
      await this.#carryOut(batch);
    } finally {
      this.#pace.end(timed, this.#now());
    }
  }

  /** Does not wait until all are answered: the next commit does not depend on it. */
  #answer(batch: readonly QueuedCommand[], verdicts: readonly Verdict[]): void {
    const answered = tellAll(batch, verdicts).finally(() => this.#answering.delete(answered));
    this.#answering.add(answered);
  }

  #count(batch: readonly unknown[]): void {
    this.#commits += 1;
    this.#commands += batch.length;
  }

  /**
   * Behind a commit that may hang nothing is sent: what waits may still be refused, and nothing is unknown of it. Nor
   * behind one that was not as remembered, on whose rows a next batch would most likely be refused as well.
   */
  async #untilReady(): Promise<void> {
    const isLate = (now: number) => this.#pace.isLate(now) || this.#pace.leftMs(now) > MOST_UNDER_WAY_MS;
    const isFull = () => this.#underWay.size >= MOST_UNDER_WAY || this.#isCautious || isLate(this.#now());
    while (this.#underWay.size > 0 && isFull()) await Promise.race(this.#underWay);
    this.#isCautious = false;
  }

  #nextBatch(): readonly QueuedCommand[] {
    this.#refuseLate();
    const { sizeUnderWay } = this.#pace;
    // Evenly large ones: behind a small one PostgreSQL would wait while the large one after it is decided.
    const share = sizeUnderWay > 0 ? (this.#waiting.size + sizeUnderWay) / MOST_UNDER_WAY : BATCH_LIMIT;
    return this.#waiting.take(Math.min(BATCH_LIMIT, Math.max(SMALL_BATCH, share)));
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
      this.#answer(batch, verdicts);
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
        this.#count(commands);
        return verdicts;
      } catch (error) {
        const { kind } = classifyDatabaseError(error);
        if (attempt === TRIES || (kind !== "retry" && kind !== "unique")) throw error;
        this.#retries += 1;
      }
    }
  }
}
