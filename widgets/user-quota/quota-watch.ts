import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";
import type { Platform } from "../shared/platform.ts";
import { Poller, type PollOutcome } from "../shared/poller.ts";
import { SessionCaller } from "../shared/session-caller.ts";
import { fieldsOf, readSession, SessionError, type StartedSession } from "../shared/session-client.ts";
import {
  INITIAL_STATE,
  isFinal,
  nextStep,
  type UserQuotaChange,
  type UserQuotaInput,
  type UserQuotaState,
} from "./user-quota-state.ts";

/** Intl throws on any other form of currency code. */
const CURRENCY = /^[A-Z]{3}$/;

/** Checks by hand the shown fields of a quota's session, as the contract's schema defines them. */
function isQuotaSession(answer: unknown): answer is QuotaSession {
  const fields = fieldsOf(answer);
  const { movements } = fields;
  return (
    fields.kind === "quota" &&
    areTexts(fields, ["name", "status", "currency", "as_of"]) &&
    CURRENCY.test(String(fields.currency)) &&
    [fields.quota, fields.quota_available, fields.score].every((sum) => sum === null || Number.isFinite(sum)) &&
    Array.isArray(movements) &&
    movements.every(isMovement)
  );
}

function isMovement(movement: unknown): movement is QuotaMovement {
  const fields = fieldsOf(movement);
  return (
    areTexts(fields, ["kind", "status", "direction", "counterparty", "created_at"]) && Number.isFinite(fields.amount)
  );
}

function areTexts(fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === "string");
}

/** With its jitter of a fifth, never sooner than 30 s after the last poll. */
const PACE = Object.freeze({ shortestMs: 37_500, longestMs: 120_000 });

/** Never aborts: a poll that ends must not abort the session request, because later polls wait for the same one. */
const UNENDING = new AbortController().signal;

const NOTHING_NEW: PollOutcome = { changed: false, retryAfterMs: 0 };

/** Dependencies of {@link QuotaWatch}. */
export interface QuotaWatchOptions {
  readonly platform: Platform;
  /** True if the page has given a source of sessions. */
  readonly canStart: () => boolean;
  /** Requests a session from the merchant. */
  readonly startSession: (signal: AbortSignal) => Promise<StartedSession> | undefined;
  /** The broker of a session that names none. */
  readonly broker: () => string;
  /** Called once for each piece of news. */
  readonly tell: (news: UserQuotaChange, state: UserQuotaState) => void;
  /** Called when shown data has changed. */
  readonly changed: () => void;
}

/** Follows one user's quota for an element: session, polling and state, without any rendering. */
export class QuotaWatch {
  readonly #options: QuotaWatchOptions;
  readonly #poller: Poller;
  readonly #caller: SessionCaller;
  #state: UserQuotaState = INITIAL_STATE;
  #etag: string | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: QuotaWatchOptions) {
    this.#options = options;
    this.#poller = new Poller(options.platform, (signal) => this.#poll(signal), PACE);
    this.#caller = new SessionCaller({
      startSession: () => options.startSession(UNENDING)?.catch(sayWhoRefused),
      broker: options.broker,
      platform: options.platform,
    });
  }

  /** The current state. */
  get state(): UserQuotaState {
    return this.#state;
  }

  /** Starts, or resumes after {@link pause}. */
  resume(): void {
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.#options.platform.onResume(() => this.#poller.pollNow());
    this.startIfPossible();
  }

  /** Starts if the page has only now given a source of sessions. */
  startIfPossible(): void {
    const wanted = this.#stopListening !== undefined && !isFinal(this.#state.phase);
    if (wanted && this.#options.canStart()) this.#poller.start();
  }

  /** Stops every timer, poll and listener, and keeps the state. */
  pause(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#poller.stop();
  }

  /** Discards the user's data and requests another session. */
  restart(): void {
    const watching = this.#stopListening !== undefined;
    this.pause();
    this.#caller.forget();
    this.#state = INITIAL_STATE;
    this.#etag = undefined;
    this.#options.changed();
    if (watching) this.resume();
  }

  /** Polls at once, on the person's request. */
  lookNow(): void {
    this.#poller.pollNow();
  }

  async #poll(signal: AbortSignal): Promise<PollOutcome> {
    const at = this.#options.platform.now();
    try {
      const etag = this.#etag;
      const answer = await this.#caller.ask(signal, (caller) =>
        readSession({ ...caller, signal, etag }, isQuotaSession),
      );
      if (signal.aborted) return NOTHING_NEW;
      if (answer.changed) this.#etag = answer.etag;
      this.#take(answer.changed ? { kind: "answered", session: answer.session, at } : { kind: "unchanged", at });
      return { changed: answer.changed, retryAfterMs: answer.retryAfterMs };
    } catch (error) {
      if (signal.aborted) return NOTHING_NEW;
      const { code, transient, retryAfterMs } = error as SessionError;
      this.#take({ kind: transient ? "unreachable" : "refused", code });
      return { changed: false, retryAfterMs };
    }
  }

  #take(input: UserQuotaInput): void {
    const { state, news } = nextStep(this.#state, input);
    this.#state = state;
    if (isFinal(state.phase)) this.#poller.stop();
    this.#options.changed();
    for (const item of news) this.#options.tell(item, state);
  }
}

/** Rethrows a merchant's 401 as `no_session`: a user who is not signed in there has revoked no permission. */
function sayWhoRefused(error: unknown): never {
  const isStranger = error instanceof SessionError && error.code === "unauthorized";
  throw isStranger ? new SessionError("no_session", { transient: false, cause: error }) : error;
}
