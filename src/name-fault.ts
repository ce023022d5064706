/** Characters that show nothing: controls, format, tags, line and paragraph ends, default-ignorable ones (UAX 44). */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Scripts in everyday use (UAX 31, table 5), Latin first. Those of scholars and of small communities are left out, as
 * the General Security Profile does (UTS 39, 3.1).
 */
const SCRIPTS = [
  ...["Latin", "Arabic", "Armenian", "Bengali", "Bopomofo", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek"],
  ...["Gujarati", "Gurmukhi", "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana", "Khmer", "Lao"],
  ...["Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan"],
];

/** Scripts that one name may mix: those of the restriction level "Highly Restrictive" (UTS 39, 5.2). */
const MIXTURES = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Tests of one character, made at the first name: for each of {@link SCRIPTS}, then for each of {@link MIXTURES}. */
let writings: readonly RegExp[] | undefined;

function writingOf(scripts: readonly string[]): RegExp {
  const sets = ["Common", "Inherited", ...scripts].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`[${sets.join("")}]`, "u");
}

/** Letters and digits of the scripts that imitate each other, and mathematical ones; not the ordinals of Spanish. */
const IMITATING = /(?![ªº])(?=[\p{L}\p{Nd}\p{Nl}])[\p{scx=Common}\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}]/u;

function codePoints(text: string): string {
  const points = [...text].map((character) => character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0"));
  return points.map((point) => `U+${point}`).join(" ");
}

/** Fault of a name in another normalization form (UAX 15): two names would look the same. */
function formFault(name: string): string | undefined {
  const proper = [...name.normalize("NFC")];
  const first = [...name].findIndex((character, at) => character !== proper[at]);
  if (first < 0) return undefined;
  const [has, should] = [[...name][first], proper[first]].map((character = "") => codePoints(character));
  return `must be in Unicode Normalization Form C (NFC), which has ${should} where this has ${has}: normalize it`;
}

/** Fault of a letter that stands for another one, such as a bold, fullwidth or joined one. */
function variantFault(name: string): string | undefined {
  const variant = [...name].find((one) => IMITATING.test(one) && one.normalize("NFKC") !== one);
  if (variant === undefined) return undefined;
  return `must not have ${codePoints(variant)}: write ${codePoints(variant.normalize("NFKC"))} instead`;
}

/** Fault of a character whose script does not go with those of the others (UTS 39, 5.1). */
function scriptFault(name: string): string | undefined {
  writings ??= [...SCRIPTS.map((script) => [script]), ...MIXTURES].map(writingOf);
  const strangers = writings.map((writing) => [...name].filter((character) => !writing.test(character)));
  const [stranger] = strangers.reduce((fewest, some) => (some.length < fewest.length ? some : fewest));
  if (stranger === undefined) return undefined;
  const script = SCRIPTS.find((_, at) => writings?.[at]?.test(stranger));
  const has = `must not have ${codePoints(stranger)}`;
  if (script === undefined) return `${has}, of a script that few people read: write it in another one`;
  const mixing = "write it in one script, or in Latin with Chinese, Japanese or Korean";
  return `${has} (${script}) beside letters of another script: ${mixing}`;
}

/**
 * Returns what keeps a text from being the name of a person, shop, device or the like, with the code point of the
 * character and what to do; undefined for a name. A name has a letter or a digit, is in NFC, has no character that
 * shows nothing, and does not imitate another one with letters of several scripts: "Highly Restrictive" of UTS 39
 * without its list of characters, because names have spaces and punctuation. Packages for confusable characters compare
 * them with ASCII and find no mixed scripts; the engine's property escapes do, by its own version of Unicode.
 */
export function nameFault(name: string): string | undefined {
  const unseen = UNSEEN.exec(name)?.[0];
  if (unseen !== undefined) return `must not have ${codePoints(unseen)}, which nobody can see: leave it out`;
  if (!/[\p{L}\p{Nd}]/u.test(name)) return "must have a letter or a digit";
  return formFault(name) ?? variantFault(name) ?? scriptFault(name);
}

/** Returns a typed or pasted name in NFC, without characters that show nothing and without spaces around it. */
export function tidyName(typed: string): string {
  return typed.replace(new RegExp(UNSEEN, "gu"), "").normalize("NFC").trim();
}
