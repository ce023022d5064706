/** The event of a browser that can install the app (`BeforeInstallPromptEvent`, W3C Web App Manifest incubations). */
interface InstallPromptEvent extends Event {
  readonly prompt: () => Promise<unknown>;
}

/**
 * Way to install the app on this device: `ask` by the browser's prompt, `by_hand` by the person in Safari's menu on
 * iPhone and iPad, `none` where it cannot be installed or is installed already.
 */
export type InstallWay = "ask" | "by_hand" | "none";

/** Tracks how the app can be installed on this device. Dispatches `change`. */
export class InstallOffer extends EventTarget {
  readonly #window: Window;
  #question: InstallPromptEvent | undefined;

  constructor(window: Window) {
    super();
    this.#window = window;
    window.addEventListener("beforeinstallprompt", (event) => this.#keep(event as InstallPromptEvent));
    window.addEventListener("appinstalled", () => this.#keep(undefined));
  }

  /** How it is installed; `none` also where it is installed already. */
  get way(): InstallWay {
    if (this.#question !== undefined) return "ask";
    // Only Safari on iPhone and iPad has this property, and it has no install prompt.
    const { standalone } = this.#window.navigator as Navigator & { readonly standalone?: boolean };
    return standalone === false ? "by_hand" : "none";
  }

  /** Shows the browser's install prompt, which works once. */
  async ask(): Promise<void> {
    const question = this.#question;
    this.#keep(undefined);
    await question?.prompt();
  }

  #keep(question: InstallPromptEvent | undefined): void {
    this.#question = question;
    this.dispatchEvent(new Event("change"));
  }
}
