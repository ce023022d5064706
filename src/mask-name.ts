/** Words of a name that are told at all, so that a mask does not say how long a name is. */
const MAX_WORDS = 4;
/** Words inside a name that are no name themselves: they get no initial. */
const PARTICLES = new Set("da das de del della der di do dos du e el la las los san santa van von y".split(" "));
/** Scripts that are written without spaces: one word may be the whole name, and so has its initial alone. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

const LETTER = /[\p{L}\p{N}]/u;

/** Made at the first name: Firefox has it since version 125. */
let letters: Intl.Segmenter | undefined;

/** The first letter or digit of a word, in capitals and with a full stop; empty for a word without one. */
function initialOf(word: string): string {
  letters ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const found = Array.from(letters.segment(word), ({ segment }) => segment).find((one) => LETTER.test(one));
  return found === undefined ? "" : `${found.toUpperCase()}.`;
}

/**
 * Masks a name to its first name and the initials of the rest, so that `Ana María Gómez` becomes `Ana M. G.`: enough to
 * compare it with the one that a person says, and what a screen reader can say. Particles such as `de la` are left out;
 * a name of one word is a first name, and stays. Of a word in a script without spaces only the initial is told.
 */
export function maskName(name: string): string {
  const [first = "", ...others] = name.normalize("NFC").trim().split(/\s+/u);
  const initials = others.filter((word) => !PARTICLES.has(word.toLowerCase())).map(initialOf);
  const told = [UNSPACED.test(first) ? initialOf(first) : first, ...initials.filter((initial) => initial !== "")];
  return told.slice(0, MAX_WORDS).join(" ");
}
