import type { Answer } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker.ts";
import { type Problem, problemOf } from "../payment/problem.ts";

/** Asks for one page of a list; the first without a cursor. */
export type AskForPage = (cursor: string | undefined) => Promise<Answer<Movement[]>>;

/** A list of movements that grows page by page. Dispatches `change`; answers that come too late are dropped. */
export class MovementPages extends EventTarget {
  readonly #ask: AskForPage;
  #movements: readonly Movement[] | undefined;
  #cursor: string | undefined;
  #problem: Problem | undefined;
  #loading = false;
  #turn = 0;

  constructor(ask: AskForPage) {
    super();
    this.#ask = ask;
  }

  /** What has arrived so far; undefined before the first answer. */
  get movements(): readonly Movement[] | undefined {
    return this.#movements;
  }

  /** Whether there is another page. */
  get hasMore(): boolean {
    return this.#cursor !== undefined;
  }

  /** Why the last page did not come. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Whether a page is on its way. */
  get loading(): boolean {
    return this.#loading;
  }

  /** Begins anew at the newest; what is shown stays until the answer is here. */
  async refresh(): Promise<void> {
    await this.#load(undefined);
  }

  /** Gets the next page. */
  async more(): Promise<void> {
    if (this.#loading || this.#cursor === undefined) return;
    await this.#load(this.#cursor);
  }

  async #load(cursor: string | undefined): Promise<void> {
    const turn = ++this.#turn;
    this.#loading = true;
    this.#problem = undefined;
    this.#changed();
    try {
      const { body, nextCursor } = await this.#ask(cursor);
      if (turn !== this.#turn) return;
      this.#movements = cursor === undefined ? body : joined(this.#movements ?? [], body);
      this.#cursor = nextCursor;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#problem = problemOf(error);
    }
    this.#loading = false;
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

/** A movement that two pages have, because the list moved between them, is shown once. */
function joined(known: readonly Movement[], next: readonly Movement[]): readonly Movement[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...next.filter(({ id }) => !ids.has(id))];
}
