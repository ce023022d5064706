import type { Language } from "../language.ts";
import type { ApprovingWords } from "./approving-words.ts";

const languages = {
  es: () => import("./es.ts"),
  en: () => import("./en.ts"),
  pt: () => import("./pt.ts"),
} as const satisfies Record<Language, () => Promise<{ readonly approving: ApprovingWords }>>;

let loaded: ApprovingWords | undefined;

/** Loads the words of approvals in the person's language, with a page that approves; other pages do not load them. */
export async function loadApprovingWords(language: Language): Promise<void> {
  loaded ??= (await languages[language]()).approving;
}

/** Returns the words, which the page's route has loaded. */
export function approvingWords(): ApprovingWords {
  if (loaded === undefined) throw new Error("The route of this page loads the words of approvals with it.");
  return loaded;
}
