import { css, html, nothing, type TemplateResult } from "lit";
import Share from "lucide-static/dist/esm/icons/share-2.mjs";
import type { Approval } from "../../src/contract/broker/broker.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { formatExactly } from "../../src/time-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import type { OperationWords } from "../language/words.ts";
import { backToShop } from "./back-to-shop.ts";
import { money } from "./money.ts";
import { paidMark, paidMarkStyles } from "./paid-mark.ts";

/** Styles of {@link receipt}, to be used together with those of Confirm. */
export const receiptStyles = [
  paidMarkStyles,
  css`
    /* The mark takes the avatar's place, and the heading has the lines of the payee, which so stay where they were. */
    .receipt .paid-mark {
      margin: -8px 0 8px;
    }
    .receipt h1 {
      display: grid;
      gap: 4px;
      letter-spacing: normal;
    }
    .receipt h1 .small {
      font-weight: 400;
    }
  `,
];

type Said = Pick<OperationWords, "paidTo" | "receipt"> &
  Pick<ApprovalWords, "atMerchant" | "backToShop" | "balance" | "seeReceipt" | "transfer">;

function share(approval: Approval, said: Said): Promise<void> {
  const { amount, currency, payee, transaction_reference: reference = approval.reference ?? "" } = approval;
  const text = said.receipt(formatMoney(amount, currency), payee, displayReference(reference));
  // Closing the share sheet is no error.
  return navigator.share({ text }).catch(() => undefined);
}

/**
 * Renders the end of a payment, transfer or refund that was just approved: amount, payee, reference and the quota that
 * is left, with the actions to finish, to go back to the shop, to share, to open the full receipt, and to make a
 * transfer again.
 */
export function receipt(approval: Approval, context: AppContext, said: Said): TemplateResult {
  const { words } = context;
  const { common } = words;
  const {
    amount,
    currency,
    merchant,
    payee,
    quota_available: left,
    decided_at: decided,
    transaction_id: id,
  } = approval;
  const reference = approval.transaction_reference ?? approval.reference;
  const fact = (name: string, value: unknown): TemplateResult =>
    html`<dt>${name}</dt>
      <dd><bdi>${value}</bdi></dd>`;
  return html`<header></header>
    <div class="body receipt">
      <div class="who">
        ${paidMark()}
        <h1 tabindex="-1"><span class="soft small">${said.paidTo}</span> <span class="payee">${payee}</span>
          ${merchant === undefined ? nothing : html`<span class="soft small">${said.atMerchant(merchant)}</span>`}</h1>
        ${money(amount, currency)}
      </div>
      <dl class="card facts">
        ${
          reference === undefined
            ? nothing
            : fact(common.reference, html`<span class="reference">${displayReference(reference)}</span>`)
        }
        ${decided === undefined ? nothing : fact(common.date, formatExactly(decided, words.tag))}
        ${left === undefined ? nothing : fact(said.balance, formatMoney(left, currency))}
      </dl>
      ${id === undefined ? nothing : html`<a class="button plain" href="/receipt#${id}">${said.seeReceipt}</a>`}
    </div>
    <div class="foot actions">
      <button class="primary large" @click=${() => context.router.go("/", { replace: true })}>${common.done}</button>
      ${backToShop(said, approval, "large")}
      ${
        "share" in navigator
          ? html`<button class="large" @click=${() => share(approval, said)}>${icon(Share)}${common.share}</button>`
          : nothing
      }
      ${
        approval.operation === "transfer" && id !== undefined
          ? html`<a class="button large" href="/transfer#${id}">${said.transfer.recents}</a>`
          : nothing
      }
    </div>`;
}
