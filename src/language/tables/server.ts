// Written by `npm run languages`: do not edit.
import { words as pushEn } from "../en/server/push.ts";
import { words as statementEn } from "../en/server/statement.ts";
import { type Words as PushWords, words as pushEs } from "../es/server/push.ts";
import { type Words as StatementWords, words as statementEs } from "../es/server/statement.ts";
import type { ByLanguage } from "../languages.ts";
import { words as pushPt } from "../pt/server/push.ts";
import { words as statementPt } from "../pt/server/statement.ts";

export type { PushWords, StatementWords };

/** The words of `push` in each language. */
export const pushWords: ByLanguage<PushWords> = {
  es: pushEs,
  en: pushEn,
  pt: pushPt,
};

/** The words of `statement` in each language. */
export const statementWords: ByLanguage<StatementWords> = {
  es: statementEs,
  en: statementEn,
  pt: statementPt,
};
