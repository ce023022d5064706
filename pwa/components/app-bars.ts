import { nothing, type ReactiveControllerHost } from "lit";
import type { AppContext } from "../context/app-context.ts";
import { FAILURE } from "../platform/own.ts";
import type { Updates } from "../platform/updates.ts";
import type { StoreTrouble } from "../store/person-data.ts";
import { bar } from "./bar.ts";

/** Reason of a bar, which shows it until the reason ends or the person dismisses it. */
type Reason = "offline" | "failed" | "update" | StoreTrouble;

/**
 * Renders the notices above every page: no connection, a failure that no page handles, a newer version that waits, a
 * device that stores nothing. During an operation such as a payment only the first two are shown.
 */
export class AppBars {
  readonly #host: ReactiveControllerHost;
  readonly #reasons = new Set<Reason>();
  #context: AppContext | undefined;
  #updates: Updates | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    if (!navigator.onLine) this.#reasons.add("offline");
    this.#hear(window, "offline", () => this.#reasons.add("offline"));
    this.#hear(window, "online", () => this.#reasons.delete("offline"));
    // Templates ignore the promise that a listener returns, so that its failure is an unhandled one.
    for (const type of [FAILURE, "unhandledrejection"]) this.#hear(window, type, () => this.#reasons.add("failed"));
  }

  /** Starts listening for the conditions of the store and of newer versions. */
  watch(context: AppContext, updates: Updates): void {
    const { store } = context;
    [this.#context, this.#updates] = [context, updates];
    const hearTrouble = (): unknown => store.trouble && this.#reasons.add(store.trouble);
    hearTrouble();
    this.#hear(store, "trouble", hearTrouble);
    this.#hear(updates, "waiting", () => this.#reasons.add("update"));
  }

  /** Renders the bars; during an operation such as a payment, only those for a lost connection and a failure. */
  render(isBusy: boolean): unknown {
    if (this.#context === undefined) return nothing;
    const { common, failures, storage, update } = this.#context.words;
    const { title, text } = failures.something_wrong;
    const show = (reason: Reason, ...shown: Parameters<typeof bar>) =>
      this.#reasons.has(reason) ? bar(...shown) : nothing;
    const dismiss = (reason: Reason, name: string = common.understood) => ({
      name,
      onPress: () => this.#set(() => this.#reasons.delete(reason)),
    });
    const always = [show("offline", common.offline), show("failed", `${title}. ${text}`, [dismiss("failed")])];
    if (isBusy) return always;
    const accept = { name: update.accept, onPress: () => this.#updates?.accept() };
    return [
      always,
      show("update", update.text, [accept, dismiss("update", update.later)]),
      (["full", "broken"] as const).map((trouble) => show(trouble, storage[trouble], [dismiss(trouble)])),
    ];
  }

  #hear(target: EventTarget, type: string, change: () => unknown): void {
    target.addEventListener(type, () => this.#set(change));
  }

  #set(change: () => unknown): void {
    change();
    this.#host.requestUpdate();
  }
}
