import type { Platform } from "./platform.ts";
import { askBroker, type BrokerQuestion, notUnderstood, SessionError, type StartedSession } from "./session-client.ts";

/** What a caller needs of its element. */
export interface SessionCallerOptions {
  /** Asks the merchant for a session; `undefined` while the page has not said where. */
  readonly startSession: (signal: AbortSignal) => Promise<StartedSession> | undefined;
  /** The broker of a session that names none. */
  readonly broker: () => string;
  /** Is told of an error of the page's own function, which is the page's to see, and of any that nobody expects. */
  readonly platform: Pick<Platform, "report">;
}

/** Where and as whom to ask. */
export type Caller = Pick<BrokerQuestion, "broker" | "token">;

/** What one call says, apart from whose it is. */
export type Call = Pick<BrokerQuestion, "path" | "body" | "key" | "signal">;

/** Calls the broker as a session that is made when it is first needed, and once more by itself when it has ended. */
export class SessionCaller {
  readonly #options: SessionCallerOptions;
  #started: Promise<StartedSession> | undefined;

  constructor(options: SessionCallerOptions) {
    this.#options = options;
  }

  /** What any question to the broker brings; throws {@link SessionError}. */
  async ask<Answer>(signal: AbortSignal, question: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#ask(signal, question);
    } catch (error) {
      if (error instanceof SessionError) throw error;
      this.#options.platform.report(error);
      throw notUnderstood(error);
    }
  }

  /** The next call makes another session. */
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

  /** Calls at the same time wait for one session; one that could not be made is asked for again by the next call. */
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

/** The broker's answer, yet to be checked; throws {@link SessionError}. */
export function callBroker(session: SessionCaller, call: Call): Promise<unknown> {
  return session.ask(call.signal, (caller) => askBroker({ ...call, ...caller }));
}
