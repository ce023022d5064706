import { MessagePort, receiveMessageOnPort, type Worker } from "node:worker_threads";
import { errorOf, type Failure, failureOf } from "./failures.ts";

/** The questions that a thread answers, by name. */
export type Answers = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** All that one thread says to another in a turn of its event loop. */
interface Message {
  readonly asked: { readonly id: number; readonly name: string; readonly argument: unknown }[];
  readonly answered: { readonly id: number; readonly value?: unknown; readonly failure?: Failure }[];
}

/** A message is sent once so much is said: a turn of the event loop is long while requests flood in. */
const SAID_AT_ONCE = 32;

/**
 * One end of the line between two threads: each asks questions by name, and answers those of the other. All that is
 * said in a turn of the event loop makes few messages.
 */
export class Channel {
  readonly #port: Worker | MessagePort;
  readonly #answers: Answers;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #said: Message = { asked: [], answered: [] };
  #count = 0;
  #asked = 0;
  #ended: Error | undefined;

  constructor(port: Worker | MessagePort, answers: Answers) {
    this.#port = port;
    this.#answers = answers;
    port.on("message", (message: Message) => this.#hear(message));
  }

  /** Asks the other thread; rejects with what it threw. */
  ask<T>(name: string, argument?: unknown): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const waiting = Promise.withResolvers<unknown>();
    this.#asked += 1;
    this.#waiting.set(this.#asked, waiting);
    this.#say("asked", { id: this.#asked, name, argument });
    return waiting.promise as Promise<T>;
  }

  /** Rejects all that is not answered, and all that is asked later: the other thread is gone. */
  end(reason: Error): void {
    this.#ended = reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  /**
   * Sends what was said and hears what has come, without waiting for the event loop. A thread that serves thousands of
   * ready sockets calls it between them: the loop reaches the next message only behind all of them.
   */
  attend(): void {
    this.#send();
    if (!(this.#port instanceof MessagePort)) return;
    for (let heard = receiveMessageOnPort(this.#port); heard !== undefined; heard = receiveMessageOnPort(this.#port)) {
      this.#hear(heard.message);
    }
  }

  #say<K extends keyof Message>(kind: K, said: Message[K][number]): void {
    if (this.#count === 0) setImmediate(() => this.#send());
    (this.#said[kind] as (typeof said)[]).push(said);
    this.#count += 1;
    if (this.#count === SAID_AT_ONCE) this.#send();
  }

  #send(): void {
    if (this.#count === 0) return;
    this.#port.postMessage(this.#said);
    this.#said = { asked: [], answered: [] };
    this.#count = 0;
  }

  #hear({ asked, answered }: Message): void {
    for (const { id, name, argument } of asked) void this.#answer(id, name, argument);
    this.#settle(answered);
  }

  async #answer(id: number, name: string, argument: unknown): Promise<void> {
    try {
      const answer = this.#answers[name];
      if (answer === undefined) throw new Error(`no thread answers ${name}`);
      const value = await answer(argument as never);
      this.#say("answered", { id, value });
    } catch (error) {
      this.#say("answered", { id, failure: failureOf(error) });
    }
  }

  #settle(answered: Message["answered"]): void {
    for (const { id, value, failure } of answered) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure === undefined) waiting?.resolve(value);
      else waiting?.reject(errorOf(failure));
    }
  }
}
