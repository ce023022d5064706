import { html, nothing, type TemplateResult } from "lit";
import Pencil from "lucide-static/dist/esm/icons/pencil.mjs";
import type { Limits } from "../../src/contract/broker/my-account.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { AmountField } from "../components/amount-field.ts";
import { whenText } from "../language/words.ts";
import "../components/amount-field.ts";
import { icon } from "../design/icon.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import { prove } from "../passkey/prove.ts";
import { own } from "../platform/own.ts";
import { effectiveLimit, raisesLimit } from "./raises-limit.ts";
import { Section } from "./section.ts";

const KINDS = ["payment", "day", "first_time_payee"] as const;
type Kind = (typeof KINDS)[number];

/**
 * Profile section with the person's spending limits, of which the person edits their own: raising one takes a passkey,
 * and so does lowering one further than the broker allows without.
 */
export class LimitsSection extends Section {
  static override properties = {
    ...Section.properties,
    limits: { state: true },
    changing: { state: true },
    fault: { state: true },
  };

  declare limits: Limits | undefined;
  declare changing: Kind | undefined;
  declare fault: string;

  constructor() {
    super();
    this.fault = "";
  }

  override render(): TemplateResult {
    const words = wordsOf("account").limits;
    const { limits } = this;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${words.title}</h2>
      <p class="soft tiny">${words.lead}</p>
      ${this.faults()}
      <ul class="rows ${limits === undefined ? "hold" : ""}">
        ${limits === undefined ? nothing : KINDS.map((kind) => this.#row(kind, limits))}
      </ul>
      ${
        limits === undefined
          ? nothing
          : html`<p class="soft tiny">${words.spent(formatMoney(limits.spent_today, limits.currency))}</p>
              ${this.#newDevice(limits)}`
      }
    </section>`;
  }

  protected override async load(): Promise<void> {
    this.limits = (await this.context.api.myLimits({})).body;
  }

  #newDevice({ new_device: device, currency }: Limits): TemplateResult | typeof nothing {
    if (device === undefined) return nothing;
    const { clock, words } = this.context;
    const when = whenText(device.until, words, clock.now());
    const { newDevice } = wordsOf("account").limits;
    return html`<p class="soft tiny">${newDevice(formatMoney(device.left, currency), when)}</p>`;
  }

  #row(kind: Kind, limits: Limits): TemplateResult {
    const words = wordsOf("account").limits;
    const most = effectiveLimit(limits[kind]);
    return html`<li>
      <div class="row">
        <div class="what">
          <p class="small">${words[kind]}</p>
          <p class="title small">${most === null ? words.none : words.upTo(formatMoney(most, limits.currency))}</p>
        </div>
        <button class="plain round" aria-label=${words.change(words[kind])} @click=${() => this.#begin(kind)}>
          ${icon(Pencil)}
        </button>
      </div>
      ${this.changing === kind ? this.#form(kind, limits) : nothing}
    </li>`;
  }

  #form(kind: Kind, { currency, [kind]: limit }: Limits): TemplateResult {
    const { limits: words, devices } = wordsOf("account");
    const clearing = (): Promise<void> => this.#put(kind, null);
    const clear = html`<button type="button" class="link" ?disabled=${this.busy !== ""} @click=${clearing}>
      ${words.clear}
    </button>`;
    return html`<form class="asked" @submit=${(event: SubmitEvent) => this.#submit(event, kind)}>
      <cupo-amount-field .label=${words.own} .currency=${currency} .fault=${this.fault}></cupo-amount-field>
      ${
        limit.entity === null
          ? nothing
          : html`<p class="soft tiny">${words.ofEntity(formatMoney(limit.entity, currency))}</p>`
      }
      <div class="pair">
        <button type="button" @click=${this.#cancel}>${devices.cancel}</button>
        <button ?disabled=${this.busy !== ""}>${words.save}</button>
      </div>
      ${limit.own === null ? nothing : clear}
    </form>`;
  }

  #begin(kind: Kind): void {
    this.failure = undefined;
    this.fault = "";
    this.changing = kind;
    own(this.focusOn("cupo-amount-field"));
  }

  #cancel(): void {
    this.changing = undefined;
    own(this.focusOn("h2"));
  }

  async #submit(event: SubmitEvent, kind: Kind): Promise<void> {
    event.preventDefault();
    if (this.limits === undefined) return;
    const { currency, [kind]: limit } = this.limits;
    const { amount } = this.renderRoot.querySelector("cupo-amount-field") as AmountField;
    if (amount === undefined) {
      this.fault = this.context.words.confirm.amountMissing;
    } else if (limit.entity !== null && amount > limit.entity) {
      this.fault = wordsOf("account").limits.aboveEntity(formatMoney(limit.entity, currency));
    } else {
      this.fault = "";
      await this.#put(kind, amount);
    }
  }

  async #put(kind: Kind, own: number | null): Promise<void> {
    const { announce, api } = this.context;
    const { limits } = this;
    if (limits === undefined) return;
    await this.act(kind, async () => {
      const put = async (proved: object): Promise<Limits> =>
        (await api.putMyLimits({ body: { [kind]: own, ...proved } })).body;
      const proveFirst = async (purpose: "raise_limits" | "lower_limits"): Promise<Limits | undefined> => {
        const proved = await prove(api, purpose);
        if (!("fault" in proved)) return put(proved);
        this.tellFault(proved.fault);
        return undefined;
      };
      // The broker alone decides how low a limit may go without the passkey.
      const lower = (): Promise<Limits | undefined> =>
        put({}).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === "proof_needed") return proveFirst("lower_limits");
          throw error;
        });
      const changed = await (raisesLimit(limits[kind], own) ? proveFirst("raise_limits") : lower());
      if (changed === undefined) return;
      this.limits = changed;
      announce(wordsOf("account").limits.saved);
      this.#cancel();
    });
  }
}

customElements.get("cupo-limits-section") ?? customElements.define("cupo-limits-section", LimitsSection);
