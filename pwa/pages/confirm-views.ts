import { html, nothing, type TemplateResult } from "lit";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Hourglass from "lucide-static/dist/esm/icons/hourglass.mjs";
import ShieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import UserPlus from "lucide-static/dist/esm/icons/user-round-plus.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Approval } from "../../src/contract/broker/broker.ts";
import type { ExceededLimit } from "../../src/contract/shared/exceeded-limit.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { money } from "../components/money.ts";
import { notice } from "../components/notice.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import { type OperationWords, type Sentence, type Words, whenText } from "../language/words.ts";
import type { ApprovalProblem } from "../payment/approval-problem.ts";
import type { ProofFault } from "../payment/payment-state.ts";

/** Renders a line of text in a tone, with an icon, because colour alone must not carry its meaning. */
export function note(tone: "good" | "warn" | "bad" | "soft", sign: string, text: string): TemplateResult {
  return html`<p class="note ${tone}">${icon(sign)}<span>${text}</span></p>`;
}

/** Payee and amount of an operation, in currency units, as far as they are known before there is an approval. */
export type OperationFacts = Pick<Approval, "currency"> & {
  readonly [Name in "payee" | "amount" | "reference" | "check_code" | "nickname" | "merchant"]?:
    | Approval[Name]
    | undefined;
};

type PayTo = Pick<OperationWords, "payTo">;

/** A further name below the payee's; undefined where there is none. */
type Under = string | undefined;

function who({ payTo }: PayTo, payee: string | undefined, amount: unknown, ...under: Under[]): TemplateResult {
  return html`${avatar(payee, "large")}
    <span class="soft small">${payTo}</span>
    <span class="payee">${payee === undefined ? html`<span class="blank"></span>` : html`<bdi>${payee}</bdi>`}</span>
    ${under.map((name) => (name === undefined ? nothing : html`<span class="soft"><bdi>${name}</bdi></span>`))}
    ${amount}`;
}

/**
 * Renders the payee's avatar letter and name, the further names `under` it, and below them the amount; their places
 * stay empty while unknown.
 */
export function payeeOf(
  verbs: PayTo,
  payee: string | undefined,
  amount: unknown = nothing,
  ...under: Under[]
): TemplateResult {
  return html`<div class="who">${who(verbs, payee, amount, ...under)}</div>`;
}

/** Renders the same as the page's heading: to whom how much goes is what is heard first, and found again. */
export function operationHeading(
  verbs: PayTo,
  payee: string | undefined,
  amount: unknown,
  ...under: Under[]
): TemplateResult {
  return html`<h1 class="who" tabindex="-1">${who(verbs, payee, amount, ...under)}</h1>`;
}

/** Renders the reference, and the check code that payer and payee compare by eye; nothing where neither is known. */
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

/** The quota that is left, as just asked, and whether it is hidden. */
interface Available {
  readonly sum: number;
  readonly masked: boolean;
}

function leftAfter(words: Words, more: ApprovalWords, { amount, currency }: Approval, available: Available): unknown {
  const { sum, masked } = available;
  if (sum >= amount) {
    return masked ? nothing : note("soft", ShieldCheck, more.after(formatMoney(sum - amount, currency)));
  }
  // In hundredths, so that no floating-point residue is missing.
  const missing = formatMoney((Math.round(amount * 100) - Math.round(sum * 100)) / 100, currency);
  const said = masked ? `${words.failures.insufficient_balance.title}.` : more.short(missing);
  return note("bad", CircleAlert, `${said} ${more.getMore}`);
}

/**
 * Renders a warning of an approval other than `id` that was sent before and may have been paid: its outcome is unknown.
 * Renders nothing without one.
 */
export function sentBefore({ session, store, words }: AppContext, id: string | undefined): unknown {
  const sent = store.pendingApprovals.find(({ attempt }) => attempt.approvalId !== id);
  if (sent === undefined) return nothing;
  return note(
    "warn",
    Hourglass,
    words.unknownOutcome.text(session.masked ? HIDDEN_AMOUNT : formatMoney(sent.amount, sent.currency), sent.payee),
  );
}

/**
 * Renders the notes above the pay button: that the person has not paid this payee before, and the quota that is left
 * after the payment, or how much is missing and how to get it.
 */
export function beforePaying(
  words: Words,
  more: ApprovalWords,
  { firstTime }: Pick<OperationWords, "firstTime">,
  approval: Approval,
  available: Available | undefined,
): unknown {
  const { first_time_payee, payee } = approval;
  const first = first_time_payee ? note("warn", UserPlus, firstTime(payee)) : nothing;
  const left = available === undefined ? nothing : leftAfter(words, more, approval, available);
  return html`<div class="actions">${first}${left}</div>`;
}

/** Renders the reason why the passkey did not approve, or nothing; the pay button stays, because no money moved. */
export function proofFault({ fault }: ApprovalWords, why: ProofFault | undefined): unknown {
  return why === undefined ? nothing : html`<div role="alert">${note("warn", CircleAlert, fault[why])}</div>`;
}

/** Renders, in place of the pay button, from when this device may pay: its passkey is too new. */
export function deviceTooNew(
  words: Words,
  more: ApprovalWords,
  { mayPayFrom, nowMs }: { readonly mayPayFrom: string; readonly nowMs: number },
): TemplateResult {
  return html`${note("warn", Hourglass, more.mayPayFrom(whenText(mayPayFrom, words, nowMs)))}
    <a class="button primary large" href="/">${words.common.home}</a>`;
}

type Sign = readonly [sign: string, tone: "calm" | "warn" | "bad"];

/** Icon and tone of failures; all others look like refusals. */
const signs: Readonly<Partial<Record<ApprovalProblem["failure"] | "paid_by_you", Sign>>> = Object.freeze({
  no_connection: [WifiOff, "warn"],
  outcome_unknown: [CircleX, "warn"],
  // No failure at all: it has been done.
  paid_by_you: [Check, "calm"],
});

/**
 * Renders the failure that stopped an approval, with the failure's icon and tone, and `above` it further content that
 * is known all the same.
 */
export function stoppedBy(failure: keyof typeof signs, sentence: Sentence, above: unknown): TemplateResult {
  const [sign, tone] = signs[failure] ?? [CircleX, "bad"];
  return html`<div class=${above === nothing ? "body middle" : "body middle close"}>
    ${above}
    <div role="alert">${notice(sign, sentence, { tone })}</div>
  </div>`;
}

/** Renders payee and amount of a code whose signature was verified offline. */
export function offlineCode(words: Words, { payee, amount, currency }: OperationFacts): TemplateResult {
  const sum = amount === undefined ? nothing : money(amount, currency);
  return html`${payeeOf(words.confirm, payee, sum)}${note("good", ShieldCheck, words.confirm.offlineKnown)}`;
}

/** Returns the sentence on the exceeded limit and what is left of it, as the answer says; empty where it is unknown. */
export function limitSentence(
  { name, left, until }: ExceededLimit,
  { clock, session, words }: AppContext,
  { more, currency = session.me?.currency }: { readonly more: ApprovalWords; readonly currency: string | undefined },
): string {
  const sentenceOf = more.overLimit[name as keyof ApprovalWords["overLimit"]];
  if (currency === undefined || sentenceOf === undefined) return "";
  const sentence = sentenceOf(formatMoney(left, currency));
  if (until === null) return sentence;
  return `${sentence} ${more.moreFrom(whenText(until, words, clock.now()))}`;
}
