import { html, nothing, type TemplateResult } from "lit";
import ArrowLeft from "lucide-static/dist/esm/icons/arrow-left.mjs";
import EyeOff from "lucide-static/dist/esm/icons/eye-off.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Grant } from "../../src/contract/broker/broker.ts";
import { formatDay } from "../../src/time-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { question, questionStyles } from "../components/question.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf, whenText } from "../language/words.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { grantsStyles } from "./grants-styles.ts";

/**
 * Page with the person's consents, by which merchants may show the person's quota: each can be revoked, which the
 * person confirms.
 */
export class GrantsPage extends Page {
  static override properties = {
    ...Page.properties,
    grants: { state: true },
    problem: { state: true },
    asking: { state: true },
    revoking: { state: true },
  };

  declare grants: readonly Grant[] | undefined;
  declare problem: ShownProblem | undefined;
  /** Id of the grant whose revocation the person is asked to confirm. */
  declare asking: string | undefined;
  /** Id of the grant that is being revoked. */
  declare revoking: string | undefined;

  static override styles = [base, controls, surfaces, questionStyles, noticeStyles, grantsStyles];

  override get name(): string {
    return this.context.words.grant.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    own(this.#load());
  }

  override render(): TemplateResult {
    const { common, grant } = this.context.words;
    const { none } = wordsOf("account").grants;
    const { grants } = this;
    return html`<header>
        <button class="plain round" aria-label=${common.back} @click=${() => this.context.router.back()}>
          ${icon(ArrowLeft)}
        </button>
        <h1 tabindex="-1">${grant.name}</h1>
      </header>
      ${this.problem === undefined ? nothing : this.#failure(this.problem)}
      ${grants === undefined && this.problem === undefined ? html`<p role="status">${common.loading}</p>` : nothing}
      ${grants?.length === 0 ? notice(EyeOff, none) : nothing}
      <ul class="grants">${grants?.map((item) => this.#item(item))}</ul>`;
  }

  #item(item: Grant): TemplateResult {
    const { clock, words } = this.context;
    const { grants } = wordsOf("account");
    const used = item.last_used_at;
    return html`<li class="grant">
      ${avatar(item.merchant)}
      <div>
        <p class="merchant">${item.merchant}</p>
        <p class="soft tiny">
          ${grants.since(formatDay(item.created_at, words.tag, clock.now()))} ·
          ${grants.until(formatDay(item.lapses_at, words.tag, clock.now()))}
        </p>
        <p class="soft tiny">
          ${used === null ? grants.unused : grants.used(whenText(used, words, clock.now()))}
        </p>
      </div>
      ${
        this.asking === item.id
          ? this.#question(item)
          : html`<button aria-label=${`${grants.revoke}: ${item.merchant}`} @click=${() => this.#ask(item.id)}>
              ${grants.revoke}
            </button>`
      }
    </li>`;
  }

  #question(item: Grant): TemplateResult {
    const { devices, grants } = wordsOf("account");
    const { asking, revoke } = grants;
    const leave = { label: devices.cancel, act: () => this.#cancel() };
    return question(asking(item.merchant), leave, {
      label: revoke,
      act: () => this.#revoke(item),
      busy: this.revoking === item.id,
    });
  }

  #failure(problem: ShownProblem): TemplateResult {
    const way = html`<button @click=${this.#load}>${this.context.words.common.retry}</button>`;
    const sentence = sentenceOf(this.context.words, problem, "looking");
    return html`<div role="alert">${notice(WifiOff, sentence, { tone: "warn", way })}</div>`;
  }

  async #load(): Promise<void> {
    this.problem = undefined;
    try {
      this.grants = (await this.context.api.myGrants({})).body;
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  async #ask(id: string): Promise<void> {
    this.asking = id;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#question")?.focus();
  }

  #cancel(): void {
    this.asking = undefined;
    this.focusHeading();
  }

  async #revoke({ id, merchant }: Grant): Promise<void> {
    const { announce, api } = this.context;
    this.revoking = id;
    try {
      await api.revokeGrant({ params: { id } });
      this.grants = this.grants?.filter((grant) => grant.id !== id);
      announce(wordsOf("account").grants.revoked(merchant));
      this.#cancel();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.revoking = undefined;
  }
}

customElements.get("cupo-grants-page") ?? customElements.define("cupo-grants-page", GrantsPage);
