import type { PaySession } from "../../src/contract/broker/broker.ts";
import type { PayQrWords } from "../../src/language/tables/elements.ts";
import { spoken } from "../shared/card-view.ts";
import type { PayQrChange, PayQrState } from "./pay-qr-state.ts";
import { amountText, offlineText } from "./pay-qr-view.ts";

/** Returns the screen reader announcement of a piece of news. */
export function announcementFor(news: PayQrChange, state: PayQrState, words: PayQrWords, locale: string): string {
  const ofPayment = (sentence: (payee: string, amount: string) => string) =>
    state.session === undefined ? "" : aboutPayment(sentence, state.session, words, locale);
  const sentences: Readonly<Record<PayQrChange, string>> = {
    ready: ofPayment(words.ready),
    paid: ofPayment(words.paidTo),
    rejected: words.rejected,
    pending: spoken(words.pending),
    offline: offlineText(state, words),
    online: words.online,
    checking: words.checking,
    expired: spoken(state.lapsed ? words.expiredUnconfirmed : words.expired),
    cancelled: spoken(words.cancelled),
    failed: spoken(state.session === undefined ? words.failedEarly : words.failedLate),
  };
  return sentences[news];
}

function aboutPayment(
  sentence: (payee: string, amount: string) => string,
  session: PaySession,
  words: PayQrWords,
  locale: string,
): string {
  return sentence(session.payee, amountText(session, words, locale));
}
