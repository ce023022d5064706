import { spoken } from "../shared/card-view.ts";
import type { RechargeNews } from "./recharge-form-state.ts";
import { faultText, moneyText, type RechargeFormModel, rejection } from "./recharge-form-view.ts";

/** What a piece of news sounds like to those who do not see the card. */
export function announcementFor(
  news: RechargeNews,
  model: Pick<RechargeFormModel, "state" | "words" | "locale">,
): string {
  const { state, words } = model;
  const { person, recharge, session } = state;
  const sentences: Readonly<Record<RechargeNews, string | undefined>> = {
    ready: session?.seller,
    found: `${words.rechargeTo} ${person?.name}`,
    missed: faultText(state, words),
    renewed: words.look_up_expired,
    unsure: `${words.unsure}. ${words.asking}`,
    done: `${words.done}. ${moneyText(recharge?.amount ?? 0, model)}, ${recharge?.name}`,
    rejected: spoken(rejection(state, words)),
    failed: `${words.unavailable}. ${words.nothingMoved}`,
    offline: words.offline,
    online: words.online,
  };
  return sentences[news] ?? "";
}
