const SETTING = "cupo.sound";

/** The sound of arriving money: none until the person chooses one on this device, tones, or these and the amount. */
export type Sound = "none" | "tones" | "says";

/** Plays the chosen sound when money arrives. */
export class Chime {
  readonly #storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;

  constructor(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
    this.#storage = storage;
  }

  get chosen(): Sound {
    const kept = this.#storage.getItem(SETTING);
    if (kept === null) return "none";
    return kept === "says" ? "says" : "tones";
  }

  set chosen(sound: Sound) {
    if (sound === "none") this.#storage.removeItem(SETTING);
    else this.#storage.setItem(SETTING, sound);
  }

  /** Plays the chosen sound once, if the browser allows audio; `text` is said after the tones where that is chosen. */
  async play(text: string): Promise<void> {
    const { chosen } = this;
    if (chosen === "none") return;
    const { playTones, say } = await import("./play-sound.ts");
    // The amount is said also where the device plays no tones.
    try {
      await playTones();
    } finally {
      if (chosen === "says") say(text);
    }
  }
}
