/** Covers the rest of a word, always as long: its length would say too much of a rare name. */
const COVER = "•••";
/** Words of a name that are shown at all. */
const MAX_WORDS = 4;
/** Letters that are shown of a word that is longer than {@link SHORT}; of a shorter one, it is one. */
const SHOWN = 2;
const SHORT = 3;

const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

function maskWord(word: string): string {
  const parts = Array.from(letters.segment(word), ({ segment }) => segment);
  if (parts.length === 1) return COVER;
  return parts.slice(0, parts.length > SHORT ? SHOWN : 1).join("") + COVER;
}

/**
 * Masks a name: enough is left to compare it with the one that a person says, and too little to learn it, so that `Ana
 * Torres` becomes `A••• To•••`. Businesses are masked too, because many bear a person's name.
 */
export function maskName(name: string): string {
  const words = name.normalize("NFC").split(/\s+/u);
  return words
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS)
    .map(maskWord)
    .join(" ");
}
