// The person before an element of the showcase: waits for its states, types and presses as anybody could, and knows of
// nothing inside but what can be seen.

const LOOK_AGAIN_MS = 20;
const PATIENCE_MS = 20_000;
/** Sooner than a passing state is over. */
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

/**
 * Brings an element to where its scene ends, and says when it is there; `keep` holds on to what would pass by itself.
 */
export async function play(element, { shows, has, steps = [] }, keep) {
  for (const step of steps) await take(element, step, keep);
  for (const state of shows.split(" ")) await until(() => isAt(element, state), `:state(${state})`);
  if (has !== undefined) await until(() => element.shadowRoot.querySelector(has) !== null, has);
  await element.updateComplete;
}
