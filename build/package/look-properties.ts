import { readFileSync } from "node:fs";

const LOOK = "widgets/shared/look.ts";

/** The part that each `--cupo-*` property of the shared look styles. */
const MEANINGS: Readonly<Record<string, string>> = Object.freeze({
  "--cupo-paper": "Behind the card.",
  "--cupo-surface": "The card itself.",
  "--cupo-ink": "Text.",
  "--cupo-ink-soft": "Text that says less: labels and hints.",
  "--cupo-line": "Borders and rules.",
  "--cupo-brand": "What can be pressed, and the ring of the focus.",
  "--cupo-on-brand": "Text on the brand's colour.",
  "--cupo-good": "A good end.",
  "--cupo-warn": "What wants attention.",
  "--cupo-bad": "What went wrong.",
  "--cupo-font": "The family of the letters.",
});

const PROPERTY = /var\(\s*(--cupo-[a-z-]+)\s*,((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;

/** Properties that every element takes, with the defaults of the look's source; refuses one without a description. */
export function lookProperties(): readonly { name: string; description: string; default: string }[] {
  const found = [...readFileSync(LOOK, "utf8").matchAll(PROPERTY)].map(([, name = "", value = ""]) => {
    const description = MEANINGS[name];
    if (description === undefined) throw new Error(`${LOOK} takes ${name}: say in MEANINGS what it is for.`);
    return { name, description, default: value.trim() };
  });
  const gone = Object.keys(MEANINGS).filter((name) => !found.some((property) => property.name === name));
  if (gone.length > 0) throw new Error(`${LOOK} no longer takes ${gone.join(", ")}: take it out of MEANINGS.`);
  return found;
}
