import type { Answer } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/errors.ts";
import type { ListPlace } from "./shelf.ts";

/** A page's query; the client leaves out what is undefined. */
export interface SyncQuery {
  readonly limit: string;
  readonly cursor?: string;
  readonly "changed-since"?: string;
}

/** What reading a list needs. */
export interface SyncOptions {
  readonly ask: (query: SyncQuery) => Promise<Answer<Movement[]>>;
  /** Keeps a page and how far the list has been read, both or neither. */
  readonly keep: (movements: readonly Movement[], place: ListPlace | undefined) => Promise<void>;
  /** Whether a movement is kept already, just as it is. */
  readonly has: (movement: Movement) => Promise<boolean>;
  /** Lets the person go first, between two pages. */
  readonly rest: () => Promise<void>;
}

/** The first page is small, so that something is there soon; those behind it are as large as the broker gives. */
const FIRST_LIMIT = "50";
const LIMIT = "500";

/** More pages than any list has: whatever a broker answers, a reading ends. */
const MOST_PAGES = 10_000;

/** Tokens and cursors that the broker does not know any more: the list is read as a whole again. */
const LOST: ReadonlySet<ErrorCode> = new Set(["sync_token_too_old", "invalid_sync_token", "invalid_cursor"]);

/** One reading of a list. */
class Reading {
  readonly #options: SyncOptions;
  #place: ListPlace | undefined;

  constructor(options: SyncOptions, place: ListPlace | undefined) {
    this.#options = options;
    this.#place = place;
  }

  async run(): Promise<void> {
    if (this.#place?.token !== undefined) await this.#changes(this.#place, this.#place.token);
    if (this.#place?.whole !== true) return this.#rest();
    if (this.#place.token === undefined) await this.#news(this.#place);
  }

  /** What changed since the token; the new token counts once every page of the changes is kept. */
  async #changes(place: ListPlace, token: string): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await this.#page({ limit: LIMIT, "changed-since": token, ...(cursor && { cursor }) });
      cursor = answer.nextCursor;
      const isLast = cursor === undefined;
      await this.#keep(answer.body, isLast ? { ...place, token: answer.syncToken ?? token } : place);
      if (isLast) return;
    }
  }

  /** The list itself, newest first, from where the last reading stopped; its token is the first page's. */
  async #rest(): Promise<void> {
    for (let page = 0; page < MOST_PAGES; page++) {
      const { token, cursor } = this.#place ?? {};
      const limit = this.#place === undefined ? FIRST_LIMIT : LIMIT;
      const { body, nextCursor, syncToken } = await this.#page({ limit, ...(cursor && { cursor }) });
      const since = token ?? syncToken;
      const isLast = nextCursor === undefined;
      const end = isLast ? { whole: true } : { whole: false, cursor: nextCursor };
      await this.#keep(body, { ...end, ...(since === undefined ? {} : { token: since }) });
      if (isLast) return;
      await this.#options.rest();
    }
  }

  /** Without tokens: the newest pages, until one brings nothing new. */
  async #news(place: ListPlace): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await this.#page({ limit: FIRST_LIMIT, ...(cursor && { cursor }) });
      const known = await Promise.all(answer.body.map((movement) => this.#options.has(movement)));
      const fresh = answer.body.filter((_, index) => known[index] === false);
      const next = answer.syncToken === undefined ? place : { ...place, token: answer.syncToken };
      if (fresh.length > 0) await this.#keep(fresh, next);
      cursor = answer.nextCursor;
      if (cursor === undefined || fresh.length === 0) return;
    }
  }

  #page(query: SyncQuery): Promise<Answer<Movement[]>> {
    return this.#options.ask(query);
  }

  async #keep(movements: readonly Movement[], place: ListPlace): Promise<void> {
    await this.#options.keep(movements, place);
    this.#place = place;
  }
}

/**
 * Brings a list on the device up to date: changes since its token, and as much of the first reading as is still
 * missing, newest first. When the broker has forgotten where the list stood it is read as a whole again; what is kept
 * stays until then, because no movement ever goes away.
 */
export async function syncList(options: SyncOptions, place: ListPlace | undefined): Promise<void> {
  try {
    await new Reading(options, place).run();
  } catch (error) {
    if (place === undefined || !(error instanceof ApiError) || !LOST.has(error.code)) throw error;
    await options.keep([], undefined);
    await new Reading(options, undefined).run();
  }
}
