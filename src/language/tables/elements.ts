// Written by `npm run languages`: do not edit.
import { words as payQrEn } from "../en/elements/pay-qr.ts";
import { words as rechargeFormEn } from "../en/elements/recharge-form.ts";
import { words as userQuotaEn } from "../en/elements/user-quota.ts";
import { type Words as PayQrWords, words as payQrEs } from "../es/elements/pay-qr.ts";
import { type Words as RechargeFormWords, words as rechargeFormEs } from "../es/elements/recharge-form.ts";
import { type Words as UserQuotaWords, words as userQuotaEs } from "../es/elements/user-quota.ts";
import type { ByLanguage } from "../languages.ts";
import { words as payQrPt } from "../pt/elements/pay-qr.ts";
import { words as rechargeFormPt } from "../pt/elements/recharge-form.ts";
import { words as userQuotaPt } from "../pt/elements/user-quota.ts";

export type { PayQrWords, RechargeFormWords, UserQuotaWords };

/** The words of `pay-qr` in each language. */
export const payQrWords: ByLanguage<PayQrWords> = {
  es: payQrEs,
  en: payQrEn,
  pt: payQrPt,
};

/** The words of `recharge-form` in each language. */
export const rechargeFormWords: ByLanguage<RechargeFormWords> = {
  es: rechargeFormEs,
  en: rechargeFormEn,
  pt: rechargeFormPt,
};

/** The words of `user-quota` in each language. */
export const userQuotaWords: ByLanguage<UserQuotaWords> = {
  es: userQuotaEs,
  en: userQuotaEn,
  pt: userQuotaPt,
};
