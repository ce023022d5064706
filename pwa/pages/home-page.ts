import { html, nothing, type TemplateResult } from "lit";
import ArrowLeftRight from "lucide-static/dist/esm/icons/arrow-left-right.mjs";
import ChartPie from "lucide-static/dist/esm/icons/chart-pie.mjs";
import { moneyStyles } from "../components/money.ts";
import "../components/movement-list.ts";
import { startOfDay } from "../../src/time-format.ts";
import { noticeStyles } from "../components/notice.ts";
import { loadWords } from "../language/language.ts";
import { KnownMovements } from "../lists/known-movements.ts";
import { blankRows, unknownRows } from "../lists/unknown-rows.ts";
import "../lists/pull-to-refresh.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import { homeNotices } from "./home-notices.ts";
import { homeQuota } from "./home-quota.ts";
import { homeStyles } from "./home-styles.ts";

const LAST = 5;

/**
 * First page of a signed-in person: the quota that is left, the user status, notices, drafts, and the latest movements.
 */
export class HomePage extends Page {
  #known: KnownMovements | undefined;
  #shopScript: Promise<void> | undefined;
  #isShopLoaded = false;
  #draftsScript: Promise<unknown> | undefined;

  static override styles = [base, controls, surfaces, moneyStyles, noticeStyles, homeStyles];

  constructor() {
    super();
    const target = () => this.context.session;
    listenWhileConnected(this, target, "change", () => this.requestUpdate());
  }

  override get name(): string {
    return this.context.words.tabs.home;
  }

  override connectedCallback(): void {
    this.#known ??= new KnownMovements(this, this.context.store, { limit: LAST });
    super.connectedCallback();
  }

  override render(): TemplateResult {
    const { session, store, words } = this.context;
    const { me } = session;
    const refresh = (): void => own(store.sync());
    return html`<cupo-pull-to-refresh @refresh=${refresh}></cupo-pull-to-refresh>
      <header>
        <h1 tabindex="-1">${me === undefined ? "Cupo" : words.home.greeting(me.name.split(" ")[0] ?? me.name)}</h1>
      </header>
      ${homeNotices(this.context)}
      ${me?.business_name ? this.#shop() : html`${this.#own()} ${this.#last()}`}`;
  }

  /** Renders the quota, its shortcuts and the drafts. */
  #own(): TemplateResult {
    const { session, store } = this.context;
    const busy = session.me === undefined || store.syncing;
    return html`<section class="card quota" aria-busy=${busy}>${homeQuota(this.context)}</section>
      ${this.#shortcuts()} ${this.#drafts()}`;
  }

  /** Renders the drafts, by a script that is loaded for the few who have any. */
  #drafts(): unknown {
    const { drafts } = this.context.store;
    if (drafts.length === 0) return nothing;
    this.#draftsScript ??= import("../drafts/draft-list.ts").catch(reportError);
    return html`<cupo-draft-list .context=${this.context} .drafts=${drafts}></cupo-draft-list>`;
  }

  #shop(): TemplateResult {
    this.#shopScript ??= this.#loadShop();
    if (!this.#isShopLoaded) return this.#own();
    return html`<cupo-shop-today .context=${this.context}>${this.#own()}</cupo-shop-today>`;
  }

  /** Loads what merchants alone are shown; without it they see Home as everybody does. */
  async #loadShop(): Promise<void> {
    try {
      await Promise.all([import("../components/shop-today.ts"), loadWords("shop", this.context.language)]);
      this.#isShopLoaded = true;
      this.requestUpdate();
    } catch (error) {
      this.#shopScript = undefined;
      reportError(error);
    }
  }

  #shortcuts(): TemplateResult {
    const { home, list } = this.context.words;
    return html`<nav class="pair" aria-label=${home.shortcuts}>
      <a class="button" href="/transfer">${icon(ArrowLeftRight)}${home.transfer}</a>
      <a class="button" href="/summary">${icon(ChartPie)}${list.statements}</a>
    </nav>`;
  }

  #last(): unknown {
    const { clock, session, store, words } = this.context;
    const { common, home } = words;
    const movements = this.#known?.movements;
    if (movements === undefined && store.problem !== undefined) return unknownRows(this.context, LAST);
    if (movements?.length === 0 && store.isComplete) return this.#firstRun();
    const isThere = movements !== undefined && movements.length > 0;
    return html`<section>
      <div class="row">
        <h2>${home.lastMovements}</h2>
        <a class="see-all" href="/history">${common.seeAll}</a>
      </div>
      ${
        isThere
          ? html`<cupo-movement-list
              .movements=${movements}
              .words=${words}
              .nowMs=${startOfDay(clock.now())}
              ?masked=${session.masked}
            ></cupo-movement-list>`
          : blankRows(this.context, LAST)
      }
    </section>`;
  }

  #firstRun(): TemplateResult {
    const { firstRun } = this.context.words.home;
    return html`<section class="card first-run">
      <h2>${firstRun.title}</h2>
      <ol>
        <li>${firstRun.scan}</li>
        <li>${firstRun.look}</li>
        <li>${firstRun.approve}</li>
      </ol>
      <a class="button primary" href="/scan">${firstRun.start}</a>
    </section>`;
  }
}

customElements.get("cupo-home-page") ?? customElements.define("cupo-home-page", HomePage);
