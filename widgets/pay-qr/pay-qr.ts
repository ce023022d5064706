import { type PropertyDeclarations, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { type PayQrWords, payQrWords } from "../../src/language/tables/elements.ts";
import { baseStyles, TOKENS } from "../shared/base-styles.ts";
import { cardStyles } from "../shared/card-styles.ts";
import { spoken } from "../shared/card-view.ts";
import { css } from "../shared/css.ts";
import { browserPlatform } from "../shared/platform.ts";
import { type Caller, requestOpenSession } from "../shared/session-client.ts";
import { SessionElement } from "../shared/session-element.ts";
import { transactionStyles } from "../shared/transaction-styles.ts";
import { payQrStyles } from "./pay-qr.styles.ts";
import { eventFor, type PayQrEventMap } from "./pay-qr-events.ts";
import type { PayQrChange, PayQrPhase, PayQrState } from "./pay-qr-state.ts";
import { amountText, type CopyOutcome, type DrawnQr, drawQr, endOf, offlineText, payQrView } from "./pay-qr-view.ts";
import { PaymentWatch } from "./payment-watch.ts";

/** Returns the screen reader announcement of a piece of news. */
function announcementFor(news: PayQrChange, state: PayQrState, words: PayQrWords, locale: string): string {
  const { session } = state;
  const payment = session && ([session.payee, amountText(session, words, locale)] as const);
  const sentences: { readonly [news in PayQrChange]?: string | undefined } = {
    ready: payment && words.ready(...payment),
    paid: payment && words.paidTo(...payment),
    rejected: words.rejected,
    pending: spoken(words.pending),
    offline: offlineText(state, words),
    online: words.online,
    checking: words.checking,
  };
  return sentences[news] ?? spoken(endOf(state, words));
}

const COPIED_SHOWN_MS = 3_000;
const PAID_VIBRATION_MS = 60;

/** The amount of an attribute; none where it has more decimals than any currency, as `25.000` for thousands has. */
const readAmount = (text: string | null): number | undefined =>
  /^\d+(\.\d\d?)?$/.test(text ?? "") ? Number(text) : undefined;

/**
 * Shows one payment as a QR code until it is paid, expires or is cancelled, and then says so.
 *
 * @element pay-qr
 * @fires {CustomEvent<PaymentDetail>} pay-ready - A code is shown that can be paid.
 * @fires {CustomEvent<PaymentDetail>} pay-paid - It was paid; deliver on the server's word, never on this event alone.
 * @fires {CustomEvent<RejectedDetail>} pay-rejected - An attempt was rejected; another may follow.
 * @fires {CustomEvent<ExpiredDetail>} pay-expired - Its time is over.
 * @fires {CustomEvent<PayErrorDetail>} pay-error - It cannot be shown, or its state cannot be had at the moment.
 * @csspart card - Everything that the element draws.
 * @csspart plate - The white plate that the code stands on, or its place while the code is on its way.
 * @csspart qr - The code itself.
 * @csspart payee - The line that names who is paid.
 * @csspart amount - The amount, or the words that say that the payer types it.
 * @csspart facts - The list of check code and time left.
 * @csspart check-code - The four characters to compare with the app.
 * @csspart countdown - The time left.
 * @csspart notice - A passing notice: offline, an attempt that was rejected, a last look.
 * @csspart actions - The row of buttons below the code.
 * @csspart button - Each button, and the link that looks like one.
 * @csspart open - The link that opens the app.
 * @csspart fold - On a phone, what the code is folded under.
 * @csspart copy - The button that copies the payload.
 * @csspart payload - The payload as text, where the browser refuses to copy.
 * @csspart outcome - What is shown in place of the code at its end.
 * @csspart title - The outcome's sentence.
 * @csspart time - When it was paid.
 * @csspart way-on - The button that leads on from an outcome.
 * @cssstate loading - The session is on its way.
 * @cssstate awaiting - The code is shown.
 * @cssstate paid - It was paid.
 * @cssstate expired - Its time is over.
 * @cssstate cancelled - It was withdrawn.
 * @cssstate failed - It cannot be shown.
 * @cssstate offline - There is no news at the moment; beside `loading` or `awaiting`.
 */
export class PayQr extends SessionElement {
  static override properties: PropertyDeclarations = {
    publishableKey: { attribute: "publishable-key" },
    amount: { type: Number, converter: readAmount },
  };
  static override styles = unsafeCSS(
    css`:host {${TOKENS}}` + baseStyles + cardStyles + transactionStyles + payQrStyles,
  );

  /** A merchant's `pk_`, with `amount`, where the merchant allows open amounts: the element asks the broker itself. */
  declare publishableKey: string | undefined;
  /** In currency units, with `publishable-key`. Another amount or key is another payment. */
  declare amount: number | undefined;

  protected override readonly watch = new PaymentWatch({
    platform: browserPlatform,
    caller: this.caller,
    tell: (news, state) => this.#tell(news, state),
    mark: (seconds) => this.announce(() => this.#words.timeLeft(seconds)),
    changed: () => this.requestUpdate(),
  });
  #qr: DrawnQr | undefined;
  #rejected = false;
  #copyOutcome: CopyOutcome;
  #endCopyOutcome: (() => void) | undefined;

  /** Where the payment stands. */
  get phase(): PayQrPhase {
    return this.watch.state.phase;
  }

  /** Asks for another session and shows its code, as the button of an expired code does. */
  override restart(): void {
    this.#rejected = false;
    this.#copyOutcome = undefined;
    this.watch.restart();
  }

  protected override pause(): void {
    super.pause();
    this.#endCopyOutcome?.();
    this.#copyOutcome = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has("publishableKey") || changed.has("amount")) && this.hasUpdated) this.restart();
    super.willUpdate(changed);
    const { state } = this.watch;
    const payload = state.phase === "awaiting" ? state.session?.payload : undefined;
    if (payload !== undefined && payload !== this.#qr?.payload) this.#qr = drawQr(payload);
  }

  protected override get source(): (() => Promise<Caller>) | undefined {
    const { amount, brokerOrigin: broker, publishableKey: token } = this;
    const given = super.source;
    if (given !== undefined || !token || !amount) return given;
    return () => requestOpenSession({ broker, token }, { amount, origin: location.origin });
  }

  protected override renderCard(): TemplateResult {
    return payQrView({
      state: this.watch.state,
      words: this.#words,
      locale: this.locale.tag,
      secondsLeft: this.watch.secondsLeft,
      qr: this.#qr,
      copyOutcome: this.#copyOutcome,
      rejected: this.#rejected,
      copy: () => this.#copy(),
      pollNow: () => this.watch.pollNow(),
      restart: () => this.restart(),
    });
  }

  get #words(): PayQrWords {
    return payQrWords[this.locale.language];
  }

  #tell(news: PayQrChange, state: PayQrState): void {
    if (news === "rejected") this.#rejected = true;
    if (news === "paid") vibrate(PAID_VIBRATION_MS);
    this.announce(() => announcementFor(news, state, this.#words, this.locale.tag));
    const event = eventFor(news, state);
    if (event !== undefined) this.dispatchEvent(event);
  }

  async #copy(): Promise<void> {
    const payload = this.watch.state.session?.payload ?? "";
    this.#endCopyOutcome?.();
    try {
      await navigator.clipboard.writeText(payload);
      this.#showCopyOutcome("copied");
      this.#endCopyOutcome = browserPlatform.after(COPIED_SHOWN_MS, () => this.#showCopyOutcome(undefined));
    } catch {
      // Pages without HTTPS and some frames may not write to the clipboard: the person then copies by hand.
      this.#showCopyOutcome("copyByHand");
      await this.updateComplete;
      this.shadowRoot?.querySelector("textarea")?.select();
    }
  }

  #showCopyOutcome(outcome: CopyOutcome): void {
    this.#copyOutcome = outcome;
    if (outcome !== undefined) this.announce(() => this.#words[outcome]);
    this.requestUpdate();
  }
}

/** Vibrates after user activation only: before it, browsers refuse and log a warning. */
function vibrate(durationMs: number): void {
  const touched = navigator.userActivation?.hasBeenActive === true;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (touched && !calm) navigator.vibrate?.(durationMs);
}

declare global {
  interface HTMLElementTagNameMap {
    "pay-qr": PayQr;
  }
  interface GlobalEventHandlersEventMap extends PayQrEventMap {}
}
