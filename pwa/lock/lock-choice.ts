import type { TemplateResult } from "lit";
import type { AccountWords } from "../language/account/account-words.ts";
import { choices } from "../look/choices.ts";
import { LOCK_MINUTES, type Lock } from "./lock.ts";

/** Lets the person choose after how long this device locks the app. */
export function lockChoice(lock: Lock, words: AccountWords["settings"], chosen: () => void): TemplateResult {
  return choices({
    legend: words.lock,
    name: "lock",
    options: LOCK_MINUTES.map((value) => ({ value, label: words.lockAfter[value] })),
    chosen: lock.minutes,
    choose: (minutes) => {
      lock.minutes = minutes;
      chosen();
    },
  });
}
