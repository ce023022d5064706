import type { Language } from "../language.ts";
import type { AccountWords } from "./account-words.ts";

const languages = {
  es: () => import("./es.ts"),
  en: () => import("./en.ts"),
  pt: () => import("./pt.ts"),
} as const satisfies Record<Language, () => Promise<{ readonly account: AccountWords }>>;

let loaded: AccountWords | undefined;

/** Loads the account's words in the person's language, with a page that needs them; other pages do not load them. */
export async function loadAccountWords(language: Language): Promise<void> {
  loaded ??= (await languages[language]()).account;
}

/** Returns the words, which the page's route has loaded. */
export function accountWords(): AccountWords {
  if (loaded === undefined) throw new Error("The route of this page loads the account's words with it.");
  return loaded;
}
