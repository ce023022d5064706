/** Two tones, the second higher: hertz, and seconds from the start. */
const TONES = Object.freeze([
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
]);
const TONE_SECONDS = 0.18;
const LOUDNESS = 0.2;

/** Plays the tones once, if the browser allows audio. */
export async function playTones(): Promise<void> {
  const audio = new AudioContext();
  // Without user activation the browser suspends audio, and would play it late.
  if (audio.state === "running") await sound(audio);
  await audio.close();
}

/** Says a text in the app's language, where the browser has a voice. */
export function say(text: string): void {
  if (!("speechSynthesis" in globalThis)) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  speechSynthesis.speak(said);
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
