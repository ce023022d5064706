import { spoken } from "../shared/card-view.ts";
import type { RechargeChange } from "./recharge-form-state.ts";
import { awayText, faultText, outcomeOf, type RechargeFormModel } from "./recharge-form-view.ts";

/** Returns the screen reader announcement of a piece of news. */
export function announcementFor(
  news: RechargeChange,
  model: Pick<RechargeFormModel, "state" | "words" | "locale">,
): string {
  const { state, words } = model;
  const sentences: { readonly [news in RechargeChange]?: string | undefined } = {
    find: state.session?.seller,
    amount: `${words.rechargeTo} ${state.person?.name}`,
    selling: words.loading,
    noticed: faultText(state, words),
    missed: faultText(state, words),
    confirm: words.confirm,
    offline: awayText(state, words),
    online: words.online,
  };
  return sentences[news] ?? spoken(outcomeOf(model));
}
