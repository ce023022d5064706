// Plays the person who uses an element of the showcase: waits for its states, types and presses, and relies only on
// visible parts.

const LOOK_AGAIN_MS = 20;
const PATIENCE_MS = 20_000;
/** Shorter than a transient state lasts. */
const REPEAT_MS = 2_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isSo, what) {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await pause(LOOK_AGAIN_MS);
  }
}

const isAt = (element, state) => element.matches(`:state(${state})`);

function type(element, text) {
  const field = element.shadowRoot.querySelector("[part~=field]");
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
}

async function take(element, step, keep) {
  const control = () => element.shadowRoot?.querySelector(step.press);
  await until(() => isAt(element, step.when) && control() != null, `${step.press} at ${step.when}`);
  await pause(step.afterMs ?? 0);
  if (step.type !== undefined) type(element, step.type);
  control().click();
  if (step.repeat && keep) setInterval(() => control()?.click(), REPEAT_MS);
}

/** Plays an element's scene and resolves at its end; `keep` repeats presses, so that a transient state stays. */
export async function play(element, { shows, has, steps = [] }, keep) {
  for (const step of steps) await take(element, step, keep);
  for (const state of shows.split(" ")) await until(() => isAt(element, state), `:state(${state})`);
  if (has !== undefined) await until(() => element.shadowRoot.querySelector(has) !== null, has);
  await element.updateComplete;
}
