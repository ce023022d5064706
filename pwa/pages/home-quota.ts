import { html, nothing, type TemplateResult } from "lit";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import Eye from "lucide-static/dist/esm/icons/eye.mjs";
import EyeOff from "lucide-static/dist/esm/icons/eye-off.mjs";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import TriangleAlert from "lucide-static/dist/esm/icons/triangle-alert.mjs";
import type { Me } from "../../src/contract/broker/broker.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { money } from "../components/money.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { formatMoney } from "../format/money-format.ts";
import { asOfLine } from "../lists/as-of-line.ts";

const statusSigns = {
  active: { tone: "good", sign: Check },
  arrear: { tone: "warn", sign: CircleAlert },
  default: { tone: "bad", sign: TriangleAlert },
} as const satisfies Record<Me["status"], object>;

function foot(me: Me | undefined, context: AppContext): TemplateResult {
  const { store, words } = context;
  return html`<p class="row tiny soft">
    ${asOfLine(context, me?.as_of)}
    <button class="link refresh" ?disabled=${store.syncing} @click=${() => store.sync()}>
      ${icon(RefreshCw)}<span class="visually-hidden">${words.common.refresh}</span>
    </button>
  </p>`;
}

function blank(context: AppContext): TemplateResult {
  const { common, home } = context.words;
  return html`<div class="row"><h2 class="soft">${home.available}</h2></div>
    <span class="money soft"><span class="visually-hidden">${common.loading}</span>–</span>
    <p class="row small under">&nbsp;</p>
    ${foot(undefined, context)}`;
}

/**
 * Renders the quota that is left and the user status, as the broker last reported them, with a button that hides or
 * shows all amounts.
 */
export function homeQuota(context: AppContext): TemplateResult {
  const { session, words } = context;
  const { masked, me } = session;
  const { home } = words;
  if (me === undefined) return blank(context);
  const { quota_available: available, quota, currency } = me;
  const { tone, sign } = statusSigns[me.status];
  if (available === null || quota === null) {
    return html`<h2 class="soft">${home.available}</h2>
      <p>${home.noQuota}</p>`;
  }
  // Without a hold the total would repeat the balance.
  const total = quota === available ? undefined : home.ofTotal(masked ? HIDDEN_AMOUNT : formatMoney(quota, currency));
  const hidden = html`<span class="money" role="img" aria-label=${home.hidden}>${HIDDEN_AMOUNT}</span>`;
  return html`<div class="row">
      <h2 class="soft">${home.available}</h2>
      <button class="plain round" aria-label=${home.hide} aria-pressed=${masked} @click=${() => turn(context)}>
        ${icon(masked ? EyeOff : Eye)}
      </button>
    </div>
    ${masked ? hidden : money(available, currency)}
    <p class="row small under">
      ${total === undefined ? nothing : html`<span class="soft">${total}</span>`}
      <span class=${tone}>${icon(sign)} ${home.status[me.status]}</span>
    </p>
    ${
      total === undefined
        ? nothing
        : html`<progress value=${masked ? 0 : available} max=${Math.max(quota, 1)} aria-hidden="true"></progress>`
    }
    ${foot(me, context)}`;
}

function turn({ session }: AppContext): void {
  session.masked = !session.masked;
}
