import { html, nothing, type TemplateResult } from "lit";
import CircleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import CircleCheck from "lucide-static/dist/esm/icons/circle-check.mjs";
import Eye from "lucide-static/dist/esm/icons/eye.mjs";
import EyeOff from "lucide-static/dist/esm/icons/eye-off.mjs";
import LogOut from "lucide-static/dist/esm/icons/log-out.mjs";
import Receipt from "lucide-static/dist/esm/icons/receipt-text.mjs";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import TriangleAlert from "lucide-static/dist/esm/icons/triangle-alert.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Me, Movement } from "../../src/contract/broker.ts";
import { money, moneyStyles } from "../components/money.ts";
import "../components/movement-list.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { formatMoney } from "../format/money-format.ts";
import { formatWhen } from "../format/when-format.ts";
import { sentenceOf } from "../language/words.ts";
import { icon } from "../look/icon.ts";
import { base, controls, surfaces } from "../look/styles.ts";
import { Page } from "../page.ts";
import { type Problem, problemOf } from "../payment/problem.ts";
import { homeStyles } from "./home-styles.ts";

const LAST = "5";

const statusSigns = {
  active: { tone: "good", sign: CircleCheck },
  arrear: { tone: "warn", sign: CircleAlert },
  default: { tone: "bad", sign: TriangleAlert },
} as const satisfies Record<Me["status"], object>;

/** What a person has left to spend, how they stand, and what moved last. */
export class HomePage extends Page {
  static override properties = {
    ...Page.properties,
    movements: { state: true },
    problem: { state: true },
    loading: { state: true },
  };

  declare movements: readonly Movement[] | undefined;
  declare problem: Problem | undefined;
  declare loading: boolean;
  readonly #redraw = (): void => this.requestUpdate();

  static override styles = [base, controls, surfaces, moneyStyles, noticeStyles, homeStyles];

  constructor() {
    super();
    this.loading = false;
  }

  override get name(): string {
    return this.context.words.tabs.home;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.context.session.addEventListener("change", this.#redraw);
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.context.session.removeEventListener("change", this.#redraw);
  }

  override render(): TemplateResult {
    const { session, words } = this.context;
    const { me } = session;
    return html`<header>
        <h1 tabindex="-1">${me === undefined ? "Cupo" : words.home.greeting(me.name.split(" ")[0] ?? me.name)}</h1>
        <button class="plain round" aria-label=${words.home.signOut} @click=${this.#signOut}>${icon(LogOut)}</button>
      </header>
      <section class="card quota" aria-busy=${me === undefined}>
        ${me === undefined ? this.#blank() : this.#quota(me)}
      </section>
      ${this.#last()}
      <p><a class="see-all" href="/grants">${words.grant.name}</a></p>`;
  }

  #blank(): TemplateResult {
    const { common, home } = this.context.words;
    return html`<div class="row"><h2 class="soft">${home.available}</h2></div>
      <span class="money soft"><span class="visually-hidden">${common.loading}</span>–</span>
      <p class="row small under">&nbsp;</p>
      <p class="row tiny">&nbsp;</p>`;
  }

  #quota(me: Me): TemplateResult {
    const { clock, session, words } = this.context;
    const { masked } = session;
    const { common, home } = words;
    const { quota_available: available, quota, currency } = me;
    const { tone, sign } = statusSigns[me.status];
    if (available === null || quota === null) {
      return html`<h2 class="soft">${home.available}</h2>
        <p>${home.noQuota}</p>`;
    }
    // Without a hold the total says the balance a second time.
    const total = quota === available ? undefined : home.ofTotal(masked ? "•••" : formatMoney(quota, currency));
    return html`<div class="row">
        <h2 class="soft">${home.available}</h2>
        <button class="plain round" aria-label=${masked ? home.show : home.hide} @click=${this.#toggle}>
          ${icon(masked ? EyeOff : Eye)}
        </button>
      </div>
      ${
        masked
          ? html`<span class="money" role="img" aria-label=${home.hidden}>•••••</span>`
          : money(available, currency)
      }
      <p class="row small under">
        ${total === undefined ? nothing : html`<span class="soft">${total}</span>`}
        <span class=${tone}>${icon(sign)} ${home.status[me.status]}</span>
      </p>
      ${
        total === undefined
          ? nothing
          : html`<progress value=${masked ? 0 : available} max=${Math.max(quota, 1)} aria-hidden="true"></progress>`
      }
      <p class="row tiny soft">
        <span>${common.asOf(formatWhen(me.as_of, clock.now(), words))}</span>
        <button class="link refresh" ?disabled=${this.loading} @click=${this.#load}>
          ${icon(RefreshCw)}<span class="visually-hidden">${common.refresh}</span>
        </button>
      </p>`;
  }

  #last(): unknown {
    const { clock, session, words } = this.context;
    const { common, home, list } = words;
    if (this.problem !== undefined) {
      const way = html`<button @click=${this.#load}>${common.retry}</button>`;
      return notice(WifiOff, sentenceOf(words, this.problem, "looking"), { tone: "warn", way });
    }
    if (this.movements === undefined) return nothing;
    if (this.movements.length === 0) return notice(Receipt, list.emptyHistory);
    return html`<section>
      <div class="row">
        <h2>${home.lastMovements}</h2>
        <a class="see-all" href="/history">${common.seeAll}</a>
      </div>
      <cupo-movement-list
        .movements=${this.movements}
        .words=${words}
        .nowMs=${clock.now()}
        ?masked=${session.masked}
      ></cupo-movement-list>
    </section>`;
  }

  #toggle(): void {
    this.context.session.masked = !this.context.session.masked;
  }

  async #load(): Promise<void> {
    const { api, session } = this.context;
    this.loading = true;
    this.problem = undefined;
    try {
      const [history] = await Promise.all([api.myHistory({ query: { limit: LAST } }), session.refresh()]);
      this.movements = history.body;
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.loading = false;
  }

  async #signOut(): Promise<void> {
    const { attempts, router, session } = this.context;
    try {
      await session.signOut();
      attempts.clear();
      router.go("/welcome", { replace: true });
    } catch (error) {
      this.problem = problemOf(error);
    }
  }
}

customElements.get("cupo-home-page") ?? customElements.define("cupo-home-page", HomePage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-home-page": HomePage;
  }
}
