import { html, nothing, type TemplateResult } from "lit";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { openPendingApproval } from "../drafts/pending-approvals.ts";
import { formatMoney } from "../format/money-format.ts";
import { whenText } from "../language/words.ts";

/**
 * Renders the notices on Home: payments of unknown outcome, new devices and selling requests to review, and from when
 * this device may pay.
 */
export function homeNotices(context: AppContext): unknown {
  const { clock, session, store, words } = context;
  const { me } = session;
  if (me === undefined) return nothing;
  const { home, unknownOutcome } = words;
  const { may_pay_from: mayPayFrom, new_devices: newDevices } = me;
  const shown: readonly TemplateResult[] = [
    ...store.pendingApprovals.map((sent) => {
      const sum = session.masked ? HIDDEN_AMOUNT : formatMoney(sent.amount, sent.currency);
      return html`<div class="card note warn-line">
        <span class="warn">${icon(CircleAlert)}</span>
        <p>
          ${unknownOutcome.text(sum, sent.payee)}
          <button class="link" @click=${() => openPendingApproval(sent, context)}>${unknownOutcome.see}</button>
        </p>
      </div>`;
    }),
    ...(newDevices > 0
      ? [
          html`<div class="card note warn-line">
            <span class="warn">${icon(CircleAlert)}</span>
            <p>${home.newDevices} <a href="/profile">${home.review}</a></p>
          </div>`,
        ]
      : []),
    ...((me.selling_requests ?? 0) > 0
      ? [
          html`<div class="card note warn-line">
            <span class="warn">${icon(CircleAlert)}</span>
            <p>${home.selling} <a href="/profile#selling">${home.review}</a></p>
          </div>`,
        ]
      : []),
    ...(mayPayFrom !== undefined && Date.parse(mayPayFrom) > clock.now()
      ? [
          html`<div class="card note">
            <span class="soft">${icon(Clock)}</span>
            <p>${home.mayPayFrom(whenText(mayPayFrom, words, clock.now()))}</p>
          </div>`,
        ]
      : []),
  ];
  return shown;
}
