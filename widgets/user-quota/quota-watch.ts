import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";
import { Poller, type PollOutcome } from "../shared/poller.ts";
import { askRenewing } from "../shared/session-caller.ts";
import { type Caller, fieldsOf, readSession, type SessionAnswer, SessionError } from "../shared/session-client.ts";
import { SessionWatch } from "../shared/session-watch.ts";
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
const PACE = { shortestMs: 37_500, longestMs: 120_000 };

/** Follows one user's quota for an element: session, polling and state, without any rendering. */
export class QuotaWatch extends SessionWatch<UserQuotaState, UserQuotaChange> {
  protected override readonly initial = INITIAL_STATE;
  readonly #poller = new Poller(this.options.platform, (signal) => this.#poll(signal), PACE);
  #etag: string | undefined;

  override start(): void {
    if (!isFinal(this.state.phase) && this.canStart) this.#poller.start();
  }

  override pause(): void {
    super.pause();
    this.#poller.stop();
  }

  override restart(): void {
    this.#etag = undefined;
    super.restart();
  }

  /** Polls at once, on the person's request. */
  checkNow(): void {
    this.#poller.pollNow();
  }

  protected override turn(): void {
    this.checkNow();
  }

  async #poll(signal: AbortSignal): Promise<PollOutcome> {
    const { caller, platform } = this.options;
    const etag = this.#etag;
    const at = platform.now();
    const read = (asking: Caller) => readSession({ ...asking, signal, etag }, isQuotaSession);
    const answer = await askRenewing(caller, read).catch((error: SessionError) => error);
    return { changed: !signal.aborted && this.#hear(answer, at), retryAfterMs: answer.retryAfterMs };
  }

  #hear(answer: SessionAnswer<QuotaSession> | SessionError, at: number): boolean {
    if (answer instanceof SessionError) {
      const { code, isUnasked, transient } = answer;
      // A merchant's 401: a user who is not signed in there has revoked no permission.
      const isStranger = isUnasked && code === "unauthorized";
      this.#learn({ kind: transient ? "unreachable" : "refused", code: isStranger ? "no_session" : code });
      return false;
    }
    if (answer.changed) this.#etag = answer.etag;
    this.#learn(answer.changed ? { kind: "answered", session: answer.session, at } : { kind: "unchanged", at });
    return answer.changed;
  }

  #learn(input: UserQuotaInput): void {
    this.take(nextStep(this.state, input));
  }

  protected override follow({ phase }: UserQuotaState): void {
    if (isFinal(phase)) this.#poller.stop();
  }
}
