import { html, nothing, type TemplateResult } from "lit";
import type { AppContext } from "../context/app-context.ts";
import { choices } from "../design/choices.ts";
import { wordsOf } from "../language/language.ts";
import type { Sentence } from "../language/words.ts";
import { LOCK_MINUTES, type LockMinutes } from "../lock/lock.ts";
import { own } from "../platform/own.ts";
import { askOwner } from "./ask-owner.ts";
import { errorMessage } from "./error-message.ts";

/**
 * Renders the choice of the minutes after which this device locks the app. A later time, or never, takes the passkey:
 * somebody who finds the app open must not keep it open.
 */
export function lockChoice(
  context: AppContext,
  refused: Sentence | undefined,
  chosen: (refused: Sentence | undefined) => void,
): TemplateResult {
  const { lock } = context;
  const { settings: words } = wordsOf("account");
  const choose = async (minutes: LockMinutes): Promise<void> => {
    const refusal = lock.isLater(minutes) ? await askOwner(context) : undefined;
    if (refusal === undefined) lock.minutes = minutes;
    chosen(refusal);
  };
  return html`${choices({
    legend: words.lock,
    name: "lock",
    options: LOCK_MINUTES.map((value) => ({ value, label: words.lockAfter[value] })),
    chosen: lock.minutes,
    choose: (minutes) => own(choose(minutes)),
  })}
    ${refused === undefined ? nothing : html`<div role="alert">${errorMessage(refused)}</div>`}`;
}
