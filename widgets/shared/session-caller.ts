import type { Platform } from "./platform.ts";
import { type BrokerRequest, notUnderstood, SessionError, type StartedSession } from "./session-client.ts";

/** Dependencies of {@link SessionCaller}. */
export interface SessionCallerOptions {
  /** Requests a session from the merchant; `undefined` until the page has given a source of sessions. */
  readonly startSession: (signal: AbortSignal) => Promise<StartedSession> | undefined;
  /** The broker of a session that names none. */
  readonly broker: () => string;
  /** Receives errors of the page's own function, which the page must see, and all unexpected ones. */
  readonly platform: Pick<Platform, "report">;
}

/** Broker and credential of a call. */
export type Caller = Pick<BrokerRequest, "broker" | "token">;

/** Calls the broker with a session that is created when it is first needed, and renewed once when it has ended. */
export class SessionCaller {
  readonly #options: SessionCallerOptions;
  #started: Promise<StartedSession> | undefined;

  constructor(options: SessionCallerOptions) {
    this.#options = options;
  }

  /** Runs a call to the broker and returns its answer; throws {@link SessionError}. */
  async ask<Answer>(signal: AbortSignal, question: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#ask(signal, question);
    } catch (error) {
      if (error instanceof SessionError) throw error;
      this.#options.platform.report(error);
      throw notUnderstood(error);
    }
  }

  /** Discards the session, so that the next call creates another. */
  forget(): void {
    this.#started = undefined;
  }

  async #ask<Answer>(signal: AbortSignal, question: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    const used = this.#session(signal);
    const session = await used;
    try {
      return await question(this.#callerOf(session));
    } catch (error) {
      if (!(error instanceof SessionError && error.code === "unauthorized")) throw error;
      if (this.#started === used) this.forget();
      return question(this.#callerOf(await this.#session(signal)));
    }
  }

  #callerOf({ session: token, broker = this.#options.broker() }: StartedSession): Caller {
    return { broker, token };
  }

  /** Concurrent calls wait for one session; one that could not be created is requested again by the next call. */
  #session(signal: AbortSignal): Promise<StartedSession> {
    if (this.#started !== undefined) return this.#started;
    const starting = this.#start(signal).catch((error: SessionError) => {
      if (this.#started === starting) this.forget();
      error.isUnasked = true;
      throw error;
    });
    this.#started = starting;
    return starting;
  }

  async #start(signal: AbortSignal): Promise<StartedSession> {
    try {
      const started = await this.#options.startSession(signal);
      if (started !== undefined) return started;
    } catch (error) {
      if (error instanceof SessionError) throw error;
      this.#options.platform.report(error);
    }
    throw new SessionError("no_session", { transient: false });
  }
}
