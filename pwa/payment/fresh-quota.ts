import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { AppContext } from "../context/app-context.ts";
import { own } from "../platform/own.ts";

/** Age in milliseconds above which a figure says nothing of what can be paid now, and is asked for again. */
const FRESH_MS = 30_000;

type Context = Pick<AppContext, "clock" | "session">;

/**
 * Controller that knows the quota that is left, as just asked or as told since, and updates the host. It trusts no
 * figure that the device kept: without an answer nothing is known, and the broker decides.
 */
export class FreshQuota implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => Context;
  readonly #told = (): void => {
    if (this.#sum !== undefined) this.#know(this.#context().session.me?.quota_available ?? undefined);
  };
  #sum: number | undefined;
  #askedAt = 0;

  constructor(host: ReactiveControllerHost, context: () => Context) {
    this.#host = host;
    this.#context = context;
    host.addController(this);
  }

  /** The quota in currency units; undefined while it is not known. */
  get sum(): number | undefined {
    return this.#sum;
  }

  hostConnected(): void {
    this.#context().session.addEventListener("change", this.#told);
    own(this.#ask());
  }

  hostDisconnected(): void {
    this.#context().session.removeEventListener("change", this.#told);
  }

  /** Asks again where the last answer is too old. */
  renew(): void {
    if (this.#context().clock.elapsed() - this.#askedAt > FRESH_MS) own(this.#ask());
  }

  async #ask(): Promise<void> {
    const { clock, session } = this.#context();
    this.#askedAt = clock.elapsed();
    this.#know(undefined);
    const me = await session.refresh().catch(() => undefined);
    this.#know(me?.quota_available ?? undefined);
  }

  #know(sum: number | undefined): void {
    this.#sum = sum;
    this.#host.requestUpdate();
  }
}
