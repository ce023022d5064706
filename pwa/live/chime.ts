const SETTING = "cupo.sound";

/** Two tones, the second higher: hertz, and seconds from the start. */
const TONES = Object.freeze([
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
]);
const TONE_SECONDS = 0.18;
const LOUDNESS = 0.2;

/** The sound of arriving money; off until the person turns it on, on this device. */
export class Chime {
  readonly #storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly #open: () => AudioContext;

  constructor(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">, open = () => new AudioContext()) {
    this.#storage = storage;
    this.#open = open;
  }

  /** True if the sound is on. */
  get on(): boolean {
    return this.#storage.getItem(SETTING) !== null;
  }

  /** Turns it on or off. */
  set on(on: boolean) {
    if (on) this.#storage.setItem(SETTING, "1");
    else this.#storage.removeItem(SETTING);
  }

  /** Plays the sound once, if it is on and the browser allows audio. */
  async play(): Promise<void> {
    if (!this.on) return;
    const audio = this.#open();
    // Without user activation the browser suspends audio, and would play it late.
    if (audio.state === "running") await sound(audio);
    await audio.close();
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
