import { html, nothing, type TemplateResult } from "lit";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Eye from "lucide-static/dist/esm/icons/eye.mjs";
import ShieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { personContract } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { AnswerOf } from "../../src/contract/shared/operation.ts";
import { formatDay } from "../../src/time-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { prove } from "../passkey/prove.ts";
import { refusedPasskey } from "../passkey/refused-passkey.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { grantStyles } from "./grant-styles.ts";

type Asked = AnswerOf<typeof personContract.grantRequest>;

/**
 * Query parameter of the answer to a merchant's page: a code that works once and soon lapses, for addresses are kept
 * and passed on, or that nothing new was allowed.
 */
const ANSWER = "cupo_grant";
const REFUSED = "none";

/**
 * Page that asks the signed-in person for consent that a merchant shows the person's quota. The merchant's page leads
 * here with `/grant#merchant=ID&return-to=URL`, in a fragment because browsers send none to a server, and gets the
 * answer in the query parameter `cupo_grant` of that URL.
 */
export class GrantPage extends Page {
  static override properties = {
    ...Page.properties,
    asked: { state: true },
    problem: { state: true },
    failure: { state: true },
    allowing: { state: true },
    allowed: { state: true },
  };

  declare asked: Asked | "unknown" | undefined;
  /** Why the merchant's request could not be loaded. */
  declare problem: ShownProblem | undefined;
  /** Why it was not allowed. */
  declare failure: Sentence | undefined;
  declare allowing: boolean;
  declare allowed: boolean;

  static override styles = [base, controls, surfaces, noticeStyles, grantStyles];

  constructor() {
    super();
    this.allowing = false;
    this.allowed = false;
  }

  override get name(): string {
    return this.context.words.grant.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    own(this.#load());
  }

  override render(): TemplateResult {
    const { common, grant } = this.context.words;
    const home = html`<a class="button" href="/">${common.home}</a>`;
    if (this.allowed) return notice(Check, grant.allowed, { heading: 1, way: home });
    if (this.asked === "unknown") return notice(CircleX, grant.unknown, { heading: 1, tone: "warn", way: home });
    if (this.asked !== undefined) return this.#question(this.asked);
    if (this.problem === undefined) return html`<h1 tabindex="-1" aria-busy="true">${common.loading}</h1>`;
    const way = html`<button @click=${this.#load}>${common.retry}</button>`;
    const sentence = sentenceOf(this.context.words, this.problem, "looking");
    return html`<div role="alert">${notice(WifiOff, sentence, { tone: "warn", heading: 1, way })}</div>`;
  }

  #question({ merchant, origins, grant: known }: Asked): TemplateResult {
    const { clock, words } = this.context;
    const { grant } = words;
    const since = known === null ? undefined : formatDay(known.created_at, words.tag, clock.now());
    return html`<div class="question">
        <div class="who">
          ${avatar(merchant, "large")}
          <h1 tabindex="-1">${grant.title(merchant)}</h1>
        </div>
        <section class="card">
          <p>${grant.lead}</p>
          <p class="note">${icon(Eye)}<span>${grant.sees}</span></p>
          <p class="note">${icon(ShieldCheck)}<span>${grant.neverPays}</span></p>
          <p class="soft small">${grant.pages}: <span class="origin">${origins.join(", ")}</span></p>
        </section>
        ${since === undefined ? nothing : this.#known(grant.already(since))}
        ${this.failure === undefined ? nothing : this.#failure(this.failure)}
      </div>
      <div class="actions foot">
        <button class="primary large" ?disabled=${this.allowing} @click=${this.#allow}>${grant.allow}</button>
        <button class="plain large" @click=${this.#refuse}>${since === undefined ? grant.refuse : grant.keep}</button>
      </div>`;
  }

  #known(sentence: string): TemplateResult {
    return html`<p class="note good">${icon(Check)}<span>${sentence}</span></p>`;
  }

  #failure({ title, text }: Sentence): TemplateResult {
    return html`<p role="alert" class="small"><span class="bad">${title}</span> ${text}</p>`;
  }

  async #load(): Promise<void> {
    this.problem = undefined;
    const asked = new URLSearchParams(this.context.router.place.fragment);
    const returnTo = asked.get("return-to");
    const query = { merchant: asked.get("merchant") ?? "", ...(returnTo === null ? {} : { "return-to": returnTo }) };
    try {
      this.asked = (await this.context.api.grantRequest({ query })).body;
    } catch (error) {
      const unknown = error instanceof ApiError && ["merchant_not_found", "invalid_request"].includes(error.code);
      if (unknown) this.asked = "unknown";
      else this.problem = problemOf(error);
    }
  }

  async #allow({ isTrusted }: Event): Promise<void> {
    if (!isTrusted || this.asked === undefined || this.asked === "unknown") return;
    const { merchant_id, return_to } = this.asked;
    this.allowing = true;
    this.failure = undefined;
    try {
      const { api, words } = this.context;
      const proved = await prove(api, "grant");
      if ("fault" in proved) {
        this.failure = words.passkey[proved.fault];
        return;
      }
      const { body } = await api.createGrant({ body: { merchant_id, ...proved } });
      if (return_to === undefined) this.allowed = true;
      else this.#goBack(return_to, body.code);
    } catch (error) {
      this.failure = this.#sentenceOf(error);
    } finally {
      this.allowing = false;
    }
  }

  #sentenceOf(error: unknown): Sentence {
    const { words } = this.context;
    const refusal = refusedPasskey(error);
    return refusal === undefined ? sentenceOf(words, problemOf(error), "looking") : words.passkey[refusal];
  }

  #refuse(): void {
    const { asked } = this;
    const refused = asked !== undefined && asked !== "unknown" ? asked : undefined;
    if (refused?.return_to === undefined) this.context.router.go("/", { replace: true });
    else this.#goBack(refused.return_to, REFUSED);
  }

  /** Returns only to an address that the broker found among the merchant's own. */
  #goBack(returnTo: string, answer: string): void {
    const address = new URL(returnTo);
    address.searchParams.set(ANSWER, answer);
    location.replace(address);
  }
}

customElements.get("cupo-grant-page") ?? customElements.define("cupo-grant-page", GrantPage);
