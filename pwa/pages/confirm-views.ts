import { html, nothing, type TemplateResult } from "lit";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import ShieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import UserPlus from "lucide-static/dist/esm/icons/user-round-plus.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Approval } from "../../src/contract/broker.ts";
import { money } from "../components/money.ts";
import { notice } from "../components/notice.ts";
import { displayReference } from "../format/display-reference.ts";
import { initial } from "../format/initial.ts";
import { formatMoney } from "../format/money-format.ts";
import { sentenceOf, type Words } from "../language/words.ts";
import { icon } from "../look/icon.ts";
import type { Problem } from "../payment/problem.ts";
import type { OfflineReading } from "../payment/verify-offline.ts";

function note(tone: "good" | "warn" | "bad" | "soft", sign: string, text: string): TemplateResult {
  return html`<p class="note ${tone}">${icon(sign)}<span>${text}</span></p>`;
}

/** Something is under way and nothing is to be done. */
export function waiting(title: string, text = ""): TemplateResult {
  return html`<div class="body">
    <div class="wait" role="status">
      <span class="spinner" aria-hidden="true"></span>
      <p>${title}</p>
      <p class="soft small">${text}</p>
    </div>
  </div>`;
}

/** Who is paid, and below it how much. */
export function payeeOf(words: Words, payee: string, amount: unknown = nothing): TemplateResult {
  return html`<div class="who">
    <span class="avatar" aria-hidden="true">${initial(payee)}</span>
    <p class="soft small">${words.confirm.payTo}</p>
    <p class="payee">${payee}</p>
    ${amount}
  </div>`;
}

/** The reference and the check code, which payer and payee compare. */
export function codesOf(words: Words, reference: string | undefined, checkCode: string | undefined): unknown {
  const { common, confirm } = words;
  if (reference === undefined && checkCode === undefined) return nothing;
  const bare =
    reference === undefined
      ? nothing
      : html`<dt>${common.reference}</dt>
        <dd class="reference">${displayReference(reference)}</dd>`;
  const compared =
    checkCode === undefined
      ? nothing
      : html`<dt>${common.checkCode}</dt>
        <dd class="code">${checkCode}</dd>
        <dd class="hint">${confirm.compare}</dd>`;
  return html`<dl class="card facts">${bare}${compared}</dl>`;
}

/** What is left to spend, as just asked, and whether it may be shown. */
interface Available {
  readonly sum: number;
  readonly masked: boolean;
}

function leftAfter(words: Words, { amount, currency }: Approval, { sum, masked }: Available): unknown {
  const { confirm, failures } = words;
  if (sum >= amount) {
    return masked ? nothing : note("soft", ShieldCheck, confirm.after(formatMoney(sum - amount, currency)));
  }
  const { title } = failures.insufficient_balance;
  return note("bad", CircleAlert, masked ? `${title}.` : confirm.notEnough(formatMoney(sum, currency)));
}

/** What to know before paying: a payee for the first time, and what is left after it. */
export function beforePaying(words: Words, approval: Approval, available: Available | undefined): unknown {
  const { first_time_payee, payee } = approval;
  const first = first_time_payee ? note("warn", UserPlus, words.confirm.firstTime(payee)) : nothing;
  const left = available === undefined ? nothing : leftAfter(words, approval, available);
  return html`<div class="actions">${first}${left}</div>`;
}

/** What the payment had come to when it stopped. */
interface StoppedAt {
  /** What the code says of itself where there is no connection. */
  readonly offline: OfflineReading | undefined;
  readonly currency: string;
  /** Whether the person can type another amount. */
  readonly amountIsTyped: boolean;
}

/** What stopped the payment; without a connection, also what the code says of itself. */
export function stoppedBy(
  words: Words,
  problem: Problem,
  { offline, currency, amountIsTyped }: StoppedAt,
): TemplateResult {
  const gentle = problem.failure === "no_connection" || problem.failure === "outcome_unknown";
  const sign = problem.failure === "no_connection" ? WifiOff : CircleX;
  const sentence = sentenceOf(words, problem, amountIsTyped ? "typing" : "paying");
  const authentic = offline?.kind === "authentic" ? offline : undefined;
  return html`<div class=${authentic === undefined ? "body" : "body close"}>
    ${authentic === undefined ? nothing : offlineCode(words, authentic, currency)}
    <div role="alert">${notice(sign, sentence, { tone: gentle ? "warn" : "bad" })}</div>
  </div>`;
}

function offlineCode(
  words: Words,
  { code }: Extract<OfflineReading, { kind: "authentic" }>,
  currency: string,
): TemplateResult {
  const amount = code.amount === undefined ? nothing : money(code.amount, currency);
  return html`${payeeOf(words, code.payee, amount)}${note("good", ShieldCheck, words.confirm.offlineKnown)}`;
}
