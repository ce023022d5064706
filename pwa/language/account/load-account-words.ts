import type { Language } from "../language.ts";
import type { AccountWords } from "./account-words.ts";

const languages = {
  es: () => import("./es.ts"),
  en: () => import("./en.ts"),
  pt: () => import("./pt.ts"),
} as const satisfies Record<Language, () => Promise<{ readonly account: AccountWords }>>;

let loaded: AccountWords | undefined;

/** Loads them in the person's language, beside a page that says them; nobody else downloads them. */
export async function loadAccountWords(language: Language): Promise<void> {
  loaded ??= (await languages[language]()).account;
}

/** The words, for the pages whose route has loaded them. */
export function accountWords(): AccountWords {
  if (loaded === undefined) throw new Error("The route of this page loads the account's words with it.");
  return loaded;
}
