import type { Platform } from "./platform.ts";
import { type Caller, SessionError } from "./session-client.ts";

/** Calls the broker with a session that is created when it is first needed. */
export class SessionCaller {
  readonly #platform: Pick<Platform, "report">;
  readonly #source: () => (() => Promise<Caller>) | undefined;
  #started: Promise<Caller> | undefined;

  /** `source` returns the source of sessions, or `undefined` until the page has given one. */
  constructor(platform: Pick<Platform, "report">, source: () => (() => Promise<Caller>) | undefined) {
    this.#platform = platform;
    this.#source = source;
  }

  /** True if the page has given a source of sessions. */
  get canStart(): boolean {
    return this.#source() !== undefined;
  }

  /** Runs a call to the broker and returns its answer; throws {@link SessionError}. */
  async ask<Answer>(question: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    try {
      return await question(await this.start());
    } catch (error) {
      throw this.#errorOf(error, "not_understood");
    }
  }

  /**
   * Returns broker and credential of the session; throws {@link SessionError}. Calls wait for one session, and none of
   * them aborts its request; one that could not be created is requested again by the next call.
   */
  start(): Promise<Caller> {
    const starting =
      this.#started ??
      this.#request().catch((error: unknown) => {
        this.forget(starting);
        throw Object.assign(this.#errorOf(error, "no_session"), { isUnasked: true });
      });
    this.#started = starting;
    return starting;
  }

  /** Discards the session, so that the next call creates another; one that is given only if it is the present one. */
  forget(started = this.#started): void {
    if (this.#started === started) this.#started = undefined;
  }

  async #request(): Promise<Caller> {
    const source = this.#source();
    if (source === undefined) throw new SessionError("no_session");
    return source();
  }

  /** Reports an error of the page's own function and any unexpected one, and returns the failure for the element. */
  #errorOf(error: unknown, code: string): SessionError {
    if (error instanceof SessionError) return error;
    this.#platform.report(error);
    return new SessionError(code, { cause: error });
  }
}

/** Runs a call like {@link SessionCaller.ask}, and once more in a new session where the present one has ended. */
export async function askRenewing<Answer>(
  caller: SessionCaller,
  question: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const used = caller.start();
  try {
    return await caller.ask(question);
  } catch (error) {
    const { code, isUnasked } = error as SessionError;
    if (isUnasked || code !== "unauthorized") throw error;
    caller.forget(used);
    return caller.ask(question);
  }
}
