import { nothing, type ReactiveControllerHost } from "lit";
import type { AppContext } from "../context/app-context.ts";
import type { Updates } from "../platform/updates.ts";
import type { StoreTrouble } from "../store/person-data.ts";
import { bar } from "./bar.ts";

/**
 * Renders the notices above every page: no connection, a newer version that waits, a device that stores nothing. During
 * an operation such as a payment only that of the missing connection is shown.
 */
export class AppBars {
  readonly #host: ReactiveControllerHost;
  #context: AppContext | undefined;
  #updates: Updates | undefined;
  #offline = !navigator.onLine;
  #updateWaits = false;
  #trouble: StoreTrouble | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Starts listening for the conditions that the bars report. */
  watch(context: AppContext, updates: Updates): void {
    const { store } = context;
    [this.#context, this.#updates] = [context, updates];
    this.#trouble = store.trouble;
    const hear = (target: EventTarget, type: string, change: () => void): void =>
      target.addEventListener(type, () => this.#set(change));
    hear(updates, "waiting", () => {
      this.#updateWaits = true;
    });
    hear(store, "trouble", () => {
      this.#trouble = store.trouble;
    });
    for (const type of ["online", "offline"]) {
      hear(window, type, () => {
        this.#offline = type === "offline";
      });
    }
  }

  /** Renders the bars; during an operation such as a payment, only the one for a lost connection. */
  render(isBusy: boolean): unknown {
    if (this.#context === undefined) return nothing;
    const { common, storage, update } = this.#context.words;
    const offline = this.#offline ? [bar(common.offline)] : [];
    if (isBusy) return offline;
    const accept = { name: update.accept, onPress: () => this.#updates?.accept() };
    const later = { name: update.later, onPress: () => this.#set(() => this.#dismissUpdate()) };
    const understood = { name: common.understood, onPress: () => this.#set(() => this.#dismissTrouble()) };
    return [
      ...offline,
      ...(this.#updateWaits ? [bar(update.text, [accept, later])] : []),
      ...(this.#trouble === undefined ? [] : [bar(storage[this.#trouble], [understood])]),
    ];
  }

  #dismissUpdate(): void {
    this.#updateWaits = false;
  }

  #dismissTrouble(): void {
    this.#trouble = undefined;
  }

  #set(change: () => void): void {
    change();
    this.#host.requestUpdate();
  }
}
