import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import Inbox from "lucide-static/dist/esm/icons/inbox.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { startOfDay } from "../../src/time-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { KnownMovements } from "../lists/known-movements.ts";
import { isSale, salesTotal } from "../lists/sales.ts";
import { unknownRows } from "../lists/unknown-rows.ts";
import { KeptCode } from "../receive/kept-code.ts";
import { money, moneyStyles } from "./money.ts";
import "./movement-list.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { notice, noticeStyles } from "./notice.ts";

/** Rows of the last sales. */
const LAST = 5;
/** Movements that are read at first; all of today are read, however many they are. */
const FIRST = 50;

/**
 * A merchant's part of Home: the sum of today's sales, the button to charge, and the last sales; what else Home shows
 * stands between, in the slot.
 */
export class ShopToday extends LitElement {
  static override properties = { context: { attribute: false } };

  declare context: AppContext;
  #known: KnownMovements | undefined;

  static override styles = [
    ...[base, controls, surfaces, moneyStyles, noticeStyles],
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
      }
      .today {
        display: grid;
        gap: 4px;
      }
      h2.soft {
        font-weight: 400;
      }
      .row {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
      }
      .row a {
        display: inline-flex;
        align-items: center;
        min-height: 48px;
        font-size: 0.9375rem;
        font-weight: 600;
        text-decoration: none;
      }
    `,
  ];

  override connectedCallback(): void {
    const { clock, store } = this.context;
    const shown = { direction: "received", limit: FIRST, since: () => startOfDay(clock.now()) } as const;
    this.#known ??= new KnownMovements(this, store, shown);
    super.connectedCallback();
    // Without a connection the next visit tries again.
    this.#keepCode().catch(() => undefined);
  }

  override render(): TemplateResult {
    const shop = wordsOf("shop");
    const sales = this.#known?.movements?.filter(isSale);
    return html`${this.#today(sales)}
      <a class="button primary large" href="/receive#charge">${shop.charge}</a>
      <slot></slot>
      ${this.#last(sales)}`;
  }

  #today(sales: readonly Movement[] | undefined): TemplateResult {
    const { clock, session, words } = this.context;
    const { currency = "COP" } = session.me ?? {};
    const shop = wordsOf("shop");
    const since = startOfDay(clock.now());
    const today = sales?.filter(({ created_at: at }) => Date.parse(at) >= since);
    return html`<section class="card today" aria-busy=${today === undefined}>
      <h2 class="soft">${shop.today}</h2>
      ${today === undefined || session.masked ? this.#hidden() : money(salesTotal(today), currency)}
      <div class="row">
        <span class="soft small">${today === undefined ? nothing : shop.sales(today.length)}</span>
        <a href="/received">${shop.byDay}</a>
      </div>
      ${
        today === undefined || this.#hasAll(since)
          ? nothing
          : html`<p class="warn small">${words.search.loadingOlder}</p>`
      }
    </section>`;
  }

  /** Keeps the shop's own code, to be shown also without a connection, where this device has none yet. */
  async #keepCode(): Promise<void> {
    const { api, newId, session } = this.context;
    const [kept, { shownId }] = [new KeptCode(localStorage), session];
    if (shownId === undefined || kept.of(shownId) !== undefined) return;
    const { body } = await api.createMyQr({ body: {} }, { idempotencyKey: newId() });
    if (session.shownId === shownId) kept.keep(shownId, body);
  }

  /** True if all movements since a moment, in Unix milliseconds, are on this device: older ones may follow. */
  #hasAll(since: number): boolean {
    const oldest = this.#known?.movements?.at(-1);
    return this.context.store.isComplete || (oldest !== undefined && Date.parse(oldest.created_at) < since);
  }

  #hidden(): TemplateResult {
    const { session, words } = this.context;
    const name = session.masked ? words.home.hidden : words.common.loading;
    return html`<span class="money" role="img" aria-label=${name}>${session.masked ? HIDDEN_AMOUNT : "–"}</span>`;
  }

  #last(sales: readonly Movement[] | undefined): unknown {
    const { clock, session, store, words } = this.context;
    const shop = wordsOf("shop");
    if (sales === undefined) return unknownRows(this.context, LAST);
    if (sales.length === 0) return store.isComplete ? notice(Inbox, words.list.emptyReceived) : nothing;
    return html`<section>
      <div class="row">
        <h2>${shop.lastSales}</h2>
        <a href="/received">${words.common.seeAll}</a>
      </div>
      <cupo-movement-list
        .movements=${sales.slice(0, LAST)}
        .words=${words}
        .nowMs=${startOfDay(clock.now())}
        ?masked=${session.masked}
      ></cupo-movement-list>
    </section>`;
  }
}

customElements.get("cupo-shop-today") ?? customElements.define("cupo-shop-today", ShopToday);
