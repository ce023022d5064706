// Written by `npm run languages`: do not edit.
import type { Words as AccountWords } from "../es/app/account.ts";
import type { Words as ApprovalWords } from "../es/app/approval.ts";
import type { Words as ReceiptsWords } from "../es/app/receipts.ts";
import type { Words as ScanWords } from "../es/app/scan.ts";
import type { Words as ShopWords } from "../es/app/shop.ts";
import type { Words as StartWords } from "../es/app/start.ts";
import type { Words as WelcomeWords } from "../es/app/welcome.ts";
import type { LoadByLanguage } from "../languages.ts";

export type { AccountWords, ApprovalWords, ReceiptsWords, ScanWords, ShopWords, StartWords, WelcomeWords };

/** Loads the words of `account` in each language. */
export const accountWords: LoadByLanguage<AccountWords> = {
  es: () => import("../es/app/account.ts"),
  en: () => import("../en/app/account.ts"),
  pt: () => import("../pt/app/account.ts"),
};

/** Loads the words of `approval` in each language. */
export const approvalWords: LoadByLanguage<ApprovalWords> = {
  es: () => import("../es/app/approval.ts"),
  en: () => import("../en/app/approval.ts"),
  pt: () => import("../pt/app/approval.ts"),
};

/** Loads the words of `receipts` in each language. */
export const receiptsWords: LoadByLanguage<ReceiptsWords> = {
  es: () => import("../es/app/receipts.ts"),
  en: () => import("../en/app/receipts.ts"),
  pt: () => import("../pt/app/receipts.ts"),
};

/** Loads the words of `scan` in each language. */
export const scanWords: LoadByLanguage<ScanWords> = {
  es: () => import("../es/app/scan.ts"),
  en: () => import("../en/app/scan.ts"),
  pt: () => import("../pt/app/scan.ts"),
};

/** Loads the words of `shop` in each language. */
export const shopWords: LoadByLanguage<ShopWords> = {
  es: () => import("../es/app/shop.ts"),
  en: () => import("../en/app/shop.ts"),
  pt: () => import("../pt/app/shop.ts"),
};

/** Loads the words of `start` in each language. */
export const startWords: LoadByLanguage<StartWords> = {
  es: () => import("../es/app/start.ts"),
  en: () => import("../en/app/start.ts"),
  pt: () => import("../pt/app/start.ts"),
};

/** Loads the words of `welcome` in each language. */
export const welcomeWords: LoadByLanguage<WelcomeWords> = {
  es: () => import("../es/app/welcome.ts"),
  en: () => import("../en/app/welcome.ts"),
  pt: () => import("../pt/app/welcome.ts"),
};
