import { html, nothing } from "lit";
import type { Approval } from "../../src/contract/broker/broker.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";

/** Renders the link back to the page of the shop, which is named, for the person to press; nothing without one. */
export function backToShop(
  { backToShop: label }: Pick<ApprovalWords, "backToShop">,
  { merchant, payee, return_url: url }: Pick<Approval, "merchant" | "payee" | "return_url">,
  look: "plain" | "large",
): unknown {
  if (url === undefined) return nothing;
  return html`<a class="button ${look}" href=${url} target="_self" rel="noreferrer">${label(merchant ?? payee)}</a>`;
}
