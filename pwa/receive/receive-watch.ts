import { NoAnswerError } from "../../src/client.ts";
import { ApiError } from "../../src/contract/errors.ts";
import type { Platform } from "../../widgets/shared/platform.ts";
import { Poller } from "../../widgets/shared/poller.ts";
import type { Api } from "../api.ts";

/** Money that arrived while the code was shown. */
export interface Arrival {
  readonly reference: string;
  readonly amount?: number;
  readonly from?: string;
}

/** What the watch needs to know of the code that is shown. */
export interface Watched {
  /** Reference of a code with an amount; without one, any payment that arrives is meant. */
  readonly reference?: string;
}

type WatchApi = Pick<Api, "myQr" | "myReceived">;

const NEWEST = "5";

/** Looks every two seconds, while the page is visible, whether the shown code was paid; tells each arrival once. */
export class ReceiveWatch {
  readonly #api: WatchApi;
  readonly #watched: Watched;
  readonly #poller: Poller;
  readonly #told: (arrival: Arrival) => void;
  readonly #platform: Platform;
  #known: ReadonlySet<string> | undefined;
  #endTurns: () => void = () => undefined;

  constructor(api: WatchApi, watched: Watched, platform: Platform, told: (arrival: Arrival) => void) {
    this.#api = api;
    this.#watched = watched;
    this.#told = told;
    this.#platform = platform;
    this.#poller = new Poller(platform, () => this.#look());
  }

  /** Begins to look. */
  start(): void {
    // A hidden page does not look; without this, one that was hidden once would never look again.
    this.#endTurns = this.#platform.onTurn(() => this.#poller.lookNow());
    this.#poller.start();
  }

  /** Looks no more. */
  stop(): void {
    this.#endTurns();
    this.#poller.stop();
  }

  async #look(): Promise<{ changed: boolean; retryAfterMs: number }> {
    try {
      await (this.#watched.reference === undefined ? this.#lookAtReceived() : this.#lookAtQr(this.#watched.reference));
      return { changed: true, retryAfterMs: 0 };
    } catch (error) {
      // Whoever waits at a counter is not served by an error: the next look tells.
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
    this.#told({ reference, ...(paid && { amount: paid.amount, from: paid.counterparty }) });
  }

  async #lookAtReceived(): Promise<void> {
    const { body } = await this.#api.myReceived({ query: { limit: NEWEST } });
    const known = this.#known;
    this.#known = new Set(body.map(({ id }) => id));
    const arrived = known === undefined ? undefined : body.find(({ id }) => !known.has(id));
    if (arrived === undefined) return;
    const { reference, amount, counterparty: from } = arrived;
    this.#told({ reference, amount, from });
  }
}
