/** What a browser sends that would install the app (`BeforeInstallPromptEvent`, W3C Web App Manifest incubations). */
interface InstallPromptEvent extends Event {
  readonly prompt: () => Promise<unknown>;
}

/** How the app is installed here: the browser asks when it is told to, the person does it by hand, or not at all. */
export type InstallWay = "ask" | "by_hand" | "none";

/** Whether the app can be installed on this device, from its start on. Dispatches `change`. */
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
    // Only Safari on iPhone and iPad has this, and it has no question of its own.
    const { standalone } = this.#window.navigator as Navigator & { readonly standalone?: boolean };
    return standalone === false ? "by_hand" : "none";
  }

  /** Has the browser ask the person; a question can be put once. */
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
