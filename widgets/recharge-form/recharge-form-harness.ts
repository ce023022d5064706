import { pageId, pause, until } from "../shared/browser-test.ts";
import type { RechargeForm } from "./recharge-form.ts";
import type { RechargeFormEventMap } from "./recharge-form-events.ts";

const EVENT_TYPES = [
  "recharge-done",
  "recharge-rejected",
  "recharge-error",
] as const satisfies readonly (keyof RechargeFormEventMap)[];

/**
 * The requests of one till that stub broker and merchant received; `tries` has the idempotency key of every request to
 * sell.
 */
export interface SeenTill {
  readonly sessionsAsked: number;
  readonly lookUps: number;
  readonly tries: readonly string[];
  readonly sold: number;
}

const SESSION = Object.freeze({
  kind: "recharge",
  seller: "Tienda Doña Marta",
  till: "Caja 2",
  currency: "COP",
  max_amount: 50_000,
  left_to_sell: 200_000,
});

let brokerOrigin: Promise<string> | undefined;
let tillCount = 0;

/** One till at the stub broker, with methods for the changes that may happen to it. */
export class StubbedTill {
  readonly name: string;
  readonly origin: string;

  private constructor(name: string, origin: string) {
    this.name = name;
    this.origin = origin;
  }

  /** A till that may sell; `answer` overrides fields of its session. */
  static async open(answer: object = {}): Promise<StubbedTill> {
    brokerOrigin ??= fetch("/__stub-broker-origin.json")
      .then((response) => response.json())
      .then(({ origin }) => origin);
    tillCount++;
    const till = new StubbedTill(`t${tillCount}-${pageId}`, await brokerOrigin);
    await till.change({ answer: { ...SESSION, ...answer } });
    return till;
  }

  /** Sets how look-ups and sales end from now on. */
  becomes(till: object): Promise<void> {
    return this.change({ till });
  }

  /** Changes the stub in any way that it supports. */
  async change(change: object): Promise<void> {
    await fetch(`${this.origin}/stub/${this.name}`, { method: "PUT", body: JSON.stringify(change) });
  }

  /** Reads the requests so far. */
  async seen(): Promise<SeenTill> {
    return (await fetch(`${this.origin}/stub/${this.name}`)).json();
  }
}

/** A `<recharge-form>` on the page, with methods for the person at the till and for the page that embeds it. */
export class RechargeFormHarness {
  readonly element: RechargeForm;
  readonly heard: { readonly type: string; readonly detail: unknown }[] = [];

  private constructor(element: RechargeForm) {
    this.element = element;
    for (const type of EVENT_TYPES) {
      element.addEventListener(type, (event) => this.heard.push({ type, detail: (event as CustomEvent).detail }));
    }
  }

  /** Puts the element on the page. */
  static mount(till: StubbedTill, attributes: Readonly<Record<string, string>> = {}): RechargeFormHarness {
    const element = document.createElement("recharge-form");
    const all = {
      presets: "10000 20000 50000",
      broker: till.origin,
      "session-url": `${till.origin}/shop/${till.name}`,
    };
    for (const [name, value] of Object.entries({ ...all, ...attributes })) element.setAttribute(name, value);
    const harness = new RechargeFormHarness(element);
    document.body.append(element);
    return harness;
  }

  /** Mounts a till at which a person was found. */
  static async withPerson(till: StubbedTill, attributes = {}): Promise<RechargeFormHarness> {
    const form = RechargeFormHarness.mount(till, attributes);
    await form.reaches("find");
    form.type("300 123 4567");
    form.submit();
    await form.reaches("amount");
    return form;
  }

  /** Mounts a till at which $ 20.000 wait for the confirmation. */
  static async confirming(till: StubbedTill, attributes = {}): Promise<RechargeFormHarness> {
    const form = await RechargeFormHarness.withPerson(till, attributes);
    form.pressPart("preset:nth-child(2)");
    await form.reaches("confirm");
    return form;
  }

  /** Everything that can be read on the card. */
  get text(): string {
    return this.within(".card").textContent?.replace(/\s+/g, " ").trim() ?? "";
  }

  /** The last announcement to screen readers. */
  get announced(): string {
    return this.within("[role=status]").textContent ?? "";
  }

  /** The field for a number or an amount. */
  get input(): HTMLInputElement {
    return this.within(".typed") as HTMLInputElement;
  }

  /** The focused element inside. */
  get focused(): Element | null {
    return this.element.shadowRoot?.activeElement ?? null;
  }

  /** The events so far, by their names. */
  get events(): readonly string[] {
    return this.heard.map(({ type }) => type);
  }

  /** Types into the field in place of what is there. */
  type(text: string): void {
    this.input.value = text;
    this.input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  }

  /** Submits the typed text, as Enter does. */
  submit(): void {
    this.input.form?.requestSubmit();
  }

  /** Presses a button by its part, with whatever else selects it. */
  pressPart(part: string): void {
    const [name = "", ...rest] = part.split(":");
    this.within([`[part~=${name}]`, ...rest].join(":")).click();
  }

  /** Sells what is shown, after the guard against double clicks has passed. */
  async sell(): Promise<void> {
    await pause(450);
    this.pressPart("way-on");
    await this.element.updateComplete;
  }

  /** Takes the element off the page. */
  remove(): void {
    this.element.remove();
  }

  /** Presses the button with that text. */
  press(label: string): void {
    const buttons = [...(this.element.shadowRoot?.querySelectorAll("button") ?? [])];
    const found = buttons.find((button) => button.textContent?.trim() === label);
    if (found === undefined) throw new Error(`no "${label}" among ${buttons.map(({ textContent }) => textContent)}`);
    found.click();
  }

  /** Waits for a state, as a stylesheet sees it. */
  async reaches(state: string): Promise<void> {
    await until(() => this.element.matches(`:state(${state})`), `:state(${state})`);
    await this.element.updateComplete;
  }

  /** Returns the first element inside that matches a selector. */
  within(selector: string): HTMLElement {
    const found = this.element.shadowRoot?.querySelector<HTMLElement>(selector);
    if (found == null) throw new Error(`nothing matches ${selector}`);
    return found;
  }
}
