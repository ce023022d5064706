import type { Answer } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";
import type { SyncPosition } from "./record-store.ts";

/** Query for one page of a list at the broker; the client leaves out what is undefined. */
export interface ListQuery {
  readonly limit: string;
  readonly cursor?: string;
  readonly "changed-since"?: string;
}

/** Dependencies of {@link syncList}: the requests to the broker, and access to the movements that the device keeps. */
export interface SyncOptions {
  readonly ask: (query: ListQuery) => Promise<Answer<Movement[]>>;
  /** Keeps a page and how far the list has been read, both or neither. */
  readonly keep: (movements: readonly Movement[], place: SyncPosition | undefined) => Promise<void>;
  /** True if a movement is kept already, unchanged. */
  readonly has: (movement: Movement) => Promise<boolean>;
  /** Yields until the browser is idle, between two pages. */
  readonly whenIdle: () => Promise<void>;
}

/** The first page is small, so that something is shown soon; the later ones are as large as the broker gives. */
const FIRST_LIMIT = "50";
const LIMIT = "500";

/** More pages than any list has, so that a reading ends whatever a broker answers. */
const MOST_PAGES = 10_000;

/** Errors for tokens and cursors that the broker does not know any more: the whole list is read again. */
const LOST: ReadonlySet<ErrorCode> = new Set(["sync_token_too_old", "invalid_sync_token", "invalid_cursor"]);

/** One reading of a list. */
class Reading {
  readonly #options: SyncOptions;
  #place: SyncPosition | undefined;

  constructor(options: SyncOptions, place: SyncPosition | undefined) {
    this.#options = options;
    this.#place = place;
  }

  async run(): Promise<void> {
    if (this.#place?.token !== undefined) await this.#changes(this.#place, this.#place.token);
    if (this.#place?.whole !== true) return this.#rest();
    if (this.#place.token === undefined) await this.#news(this.#place);
  }

  /** Reads the changes since the token; the new token counts once every page of the changes is kept. */
  async #changes(place: SyncPosition, token: string): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await this.#page({ limit: LIMIT, "changed-since": token, ...(cursor && { cursor }) });
      cursor = answer.nextCursor;
      const isLast = cursor === undefined;
      await this.#keep(answer.body, isLast ? { ...place, token: answer.syncToken ?? token } : place);
      if (isLast) return;
    }
  }

  /** Reads the list itself, newest first, from where the last reading stopped; its token is the first page's. */
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
      await this.#options.whenIdle();
    }
  }

  /** Without tokens: reads the newest pages, until one brings nothing new. */
  async #news(place: SyncPosition): Promise<void> {
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

  #page(query: ListQuery): Promise<Answer<Movement[]>> {
    return this.#options.ask(query);
  }

  async #keep(movements: readonly Movement[], place: SyncPosition): Promise<void> {
    await this.#options.keep(movements, place);
    this.#place = place;
  }
}

/**
 * Brings a list on the device up to date: changes since its token, and as much of the first reading as is still
 * missing, newest first. When the broker no longer knows its token or cursor, the whole list is read again; the kept
 * movements stay, because no movement is ever deleted.
 */
export async function syncList(options: SyncOptions, place: SyncPosition | undefined): Promise<void> {
  try {
    await new Reading(options, place).run();
  } catch (error) {
    if (place === undefined || !(error instanceof ApiError) || !LOST.has(error.code)) throw error;
    await options.keep([], undefined);
    await new Reading(options, undefined).run();
  }
}
