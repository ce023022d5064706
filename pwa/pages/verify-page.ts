import { css, html, nothing, type TemplateResult } from "lit";
import ShieldAlert from "lucide-static/dist/esm/icons/shield-alert.mjs";
import ShieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import ShieldX from "lucide-static/dist/esm/icons/shield-x.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { formatExactly, formatTime } from "../../src/time-format.ts";
import { mark } from "../components/mark.ts";
import { money, moneyStyles } from "../components/money.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf } from "../language/words.ts";
import type { Api } from "../platform/api.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { refundOf } from "../receipt/receipt-state.ts";
import { receiptPageStyles } from "../receipt/receipt-styles.ts";
import { displayCheckCode } from "../receipt/share-receipt.ts";

type Verified = Awaited<ReturnType<Api["verifyReceipt"]>>["body"];

/** Result of verifying the receipt. */
type Finding =
  | { readonly kind: "asking" }
  | { readonly kind: "genuine"; readonly receipt: Verified; readonly at: number }
  | { readonly kind: "forged" }
  | { readonly kind: "incomplete" }
  | { readonly kind: "failed"; readonly problem: ShownProblem };

/**
 * Page that tells anybody who scanned a receipt's QR, without a sign-in, whether the receipt is genuine and how much of
 * its payment has been refunded by now: `/v#TOKEN`.
 */
export class VerifyPage extends Page {
  static override properties = { ...Page.properties, finding: { state: true } };

  declare finding: Finding;

  static override styles = [
    ...[base, controls, surfaces, moneyStyles, noticeStyles, receiptPageStyles],
    css`
      .mast {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 56px;
        font-weight: 650;
      }
      .mast .mark {
        width: 28px;
        height: 28px;
        color: var(--cupo-brand);
      }
      .verdict {
        display: grid;
        justify-items: center;
        gap: 8px;
        padding: 24px 16px;
        border: 2px solid currentColor;
        border-radius: 16px;
        background: var(--cupo-surface);
        text-align: center;
      }
      .verdict .icon {
        font-size: 2.5rem;
      }
      .verdict h1 {
        text-wrap: balance;
      }
      .verdict p {
        max-width: 36ch;
        color: var(--cupo-ink);
        text-wrap: balance;
      }
      .verdict + .who {
        padding: 24px 0 8px;
      }
      .facts {
        margin-top: 16px;
      }
    `,
  ];

  constructor() {
    super();
    this.finding = { kind: "asking" };
  }

  override get name(): string {
    return wordsOf("receipts").verify.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    own(this.#ask());
  }

  override render(): TemplateResult {
    const { verify } = wordsOf("receipts");
    return html`<p class="mast">${mark()} Cupo</p>
      <div aria-live="polite">${this.#found()}</div>
      ${
        this.finding.kind === "asking"
          ? nothing
          : html`<div class="acts"><a class="button large" href="/">${verify.open}</a></div>`
      }`;
  }

  #found(): TemplateResult {
    const { words } = this.context;
    const { verify } = wordsOf("receipts");
    const { finding } = this;
    switch (finding.kind) {
      case "asking":
        return html`<h1 tabindex="-1">${verify.name}</h1>
          <p class="soft">${verify.asking}</p>
          <div class="blank" aria-hidden="true"><span></span><span></span><span></span></div>`;
      case "genuine":
        return this.#genuine(finding.receipt, finding.at);
      case "forged":
        return this.#verdict(ShieldX, "bad", verify.forged);
      case "incomplete":
        return this.#verdict(ShieldX, "bad", { title: verify.forged.title, text: verify.incomplete });
      case "failed": {
        const way = html`<button class="primary" @click=${this.#ask}>${words.common.retry}</button>`;
        const sentence = sentenceOf(words, finding.problem, "looking");
        return notice(WifiOff, sentence, { tone: "warn", heading: 1, way });
      }
    }
  }

  #verdict(sign: string, tone: "good" | "warn" | "bad", { title, text }: { title: string; text: string }) {
    return html`<div class="verdict ${tone}">
      ${icon(sign)}
      <h1 tabindex="-1">${title}</h1>
      <p>${text}</p>
    </div>`;
  }

  #genuine(receipt: Verified, at: number): TemplateResult {
    const { words } = this.context;
    const { verify } = wordsOf("receipts");
    const refund = refundOf(receipt);
    const { amount, check_code, created_at, currency, kind, payee, payer, reference } = receipt;
    const { reversed_amount: refunded = amount } = receipt;
    const verdicts = {
      none: () => this.#verdict(ShieldCheck, "good", verify.genuine.stands),
      partly: () => this.#verdict(ShieldAlert, "warn", verify.genuine.partly),
      whole: () => this.#verdict(ShieldAlert, "warn", verify.genuine.reversed),
    };
    const fact = (name: string, value: unknown): TemplateResult =>
      html`<dt>${name}</dt>
        <dd><bdi>${value}</bdi></dd>`;
    return html`${verdicts[refund]()}
      <div class="who ${refund === "whole" ? "struck" : ""}">
        <p class="soft small">${words.list.kind[kind]}</p>
        ${money(amount, currency)}
      </div>
      <section class="card proof">
        <h2 class="soft tiny">${words.common.checkCode}</h2>
        <p class="code">${displayCheckCode(check_code)}</p>
        <p class="soft small">${verify.compare}</p>
      </section>
      <dl class="card facts">
        ${fact(verify.payer, payer)} ${fact(verify.payee, payee)}
        ${fact(words.common.date, formatExactly(created_at, words.tag))}
        ${fact(words.common.reference, html`<span class="reference">${displayReference(reference)}</span>`)}
        ${refund === "none" ? nothing : fact(words.list.refunded, formatMoney(refunded, currency))}
        ${fact(verify.checked, formatTime(at, words.tag))}
      </dl>`;
  }

  #ask = async (): Promise<void> => {
    const { api, clock, router } = this.context;
    const receipt = router.place.fragment;
    if (receipt === "") {
      this.finding = { kind: "incomplete" };
      return;
    }
    this.finding = { kind: "asking" };
    this.finding = await api.verifyReceipt({ body: { receipt } }).then(
      ({ body }): Finding => ({ kind: "genuine", receipt: body, at: clock.now() }),
      (error: unknown): Finding => failureOf(error),
    );
    await this.updateComplete;
    this.focusHeading();
  };
}

/** Returns the finding for an error; a text that cannot be a receipt counts as forged. */
function failureOf(error: unknown): Finding {
  const isForged = error instanceof ApiError && ["receipt_not_authentic", "invalid_request"].includes(error.code);
  return isForged ? { kind: "forged" } : { kind: "failed", problem: problemOf(error) };
}

customElements.get("cupo-verify-page") ?? customElements.define("cupo-verify-page", VerifyPage);
