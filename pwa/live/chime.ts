const SETTING = "cupo.sound";

/** Two tones, the second higher: hertz, and seconds from the start. */
const TONES = Object.freeze([
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
]);
const TONE_SECONDS = 0.18;
const LOUDNESS = 0.2;

/** The sound of arriving money: none until the person chooses one on this device, tones, or these and the amount. */
export type Sound = "none" | "tones" | "says";

/** Plays the chosen sound when money arrives. */
export class Chime {
  readonly #storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly #open: () => AudioContext;

  constructor(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">, open = () => new AudioContext()) {
    this.#storage = storage;
    this.#open = open;
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
    if (this.chosen === "none") return;
    const audio = this.#open();
    // Without user activation the browser suspends audio, and would play it late.
    if (audio.state === "running") await sound(audio);
    await audio.close();
    if (this.chosen !== "says" || !("speechSynthesis" in globalThis)) return;
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    speechSynthesis.speak(said);
  }
}

function sound(audio: AudioContext): Promise<void> {
  let last: OscillatorNode | undefined;
  for (const { hertz, at } of TONES) {
    const from = audio.currentTime + at;
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: LOUDNESS });
    volume.gain.setTargetAtTime(0, from + TONE_SECONDS / 2, TONE_SECONDS / 6);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + TONE_SECONDS);
    last = tone;
  }
  return new Promise((resolve) => last?.addEventListener("ended", () => resolve(), { once: true }));
}
