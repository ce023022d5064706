import { NoAnswerError } from "../../src/client.ts";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Platform } from "../../widgets/shared/platform.ts";
import { Poller } from "../../widgets/shared/poller.ts";
import type { Api } from "../platform/api.ts";

/** A payment that arrived while the person's code was shown; amount and payer (`from`) are absent while unknown. */
export interface Arrival {
  readonly reference: string;
  readonly amount?: number;
  readonly from?: string;
}

/** The code that {@link ReceiveWatch} watches for its payment. */
export interface Watched {
  /** Reference of a code with an amount; without one, any arriving payment counts. */
  readonly reference?: string;
}

type WatchApi = Pick<Api, "myQr" | "myReceived">;

const NEWEST = "5";

/** Polls for payment of the shown code every two seconds while the page is visible; reports each arrival once. */
export class ReceiveWatch {
  readonly #api: WatchApi;
  readonly #watched: Watched;
  readonly #poller: Poller;
  readonly #onArrival: (arrival: Arrival) => void;
  readonly #platform: Platform;
  #known: ReadonlySet<string> | undefined;
  #startedAt = 0;
  #endTurns: () => void = () => undefined;

  constructor(api: WatchApi, watched: Watched, platform: Platform, onArrival: (arrival: Arrival) => void) {
    this.#api = api;
    this.#watched = watched;
    this.#onArrival = onArrival;
    this.#platform = platform;
    this.#poller = new Poller(platform, () => this.#poll());
  }

  /** Starts polling. */
  start(): void {
    this.#startedAt = this.#platform.now();
    // A hidden page does not poll; without this, a page that was hidden once would never poll again.
    this.#endTurns = this.#platform.onResume(() => this.#poller.pollNow());
    this.#poller.start();
  }

  /** Stops polling. */
  stop(): void {
    this.#endTurns();
    this.#poller.stop();
  }

  async #poll(): Promise<{ changed: boolean; retryAfterMs: number }> {
    try {
      await (this.#watched.reference === undefined ? this.#lookAtReceived() : this.#lookAtQr(this.#watched.reference));
      return { changed: true, retryAfterMs: 0 };
    } catch (error) {
      // An error does not help a person who waits at a counter: the next poll retries.
      if (error instanceof ApiError) return { changed: false, retryAfterMs: (error.retryAfter ?? 0) * 1_000 };
      if (error instanceof NoAnswerError) return { changed: false, retryAfterMs: 0 };
      throw error;
    }
  }

  async #lookAtQr(reference: string): Promise<void> {
    const { body } = await this.#api.myQr({ query: { reference } });
    if (body.state !== "paid") return;
    const { body: latest } = await this.#api.myReceived({ query: { limit: NEWEST } });
    const paid = latest.find((movement) => movement.reference === reference);
    this.stop();
    this.#onArrival({ reference, ...(paid && { amount: paid.amount, from: paid.counterparty }) });
  }

  async #lookAtReceived(): Promise<void> {
    const { body, headers } = await this.#api.myReceived({ query: { limit: NEWEST } });
    const known = this.#known;
    this.#known = new Set(body.map(({ id }) => id));
    const arrived = body.find(known === undefined ? this.#arrivesAfterStart(headers) : ({ id }) => !known.has(id));
    if (arrived === undefined) return;
    const { reference, amount, counterparty: from } = arrived;
    this.#onArrival({ reference, amount, from });
  }

  /**
   * Returns the test of the first answer's movements: arrived after the start, by the time of the server, because the
   * phone's clock may be wrong. `Date` has whole seconds, so that one of the second before passes too.
   */
  #arrivesAfterStart(headers: Headers): (movement: Movement) => boolean {
    const answeredMs = Date.parse(headers.get("date") ?? "");
    const startedMs = answeredMs - (this.#platform.now() - this.#startedAt);
    return ({ created_at: at }) => Date.parse(at) > startedMs;
  }
}
