import { pageId, until } from "../shared/browser-test.ts";
import type { PayQr } from "./pay-qr.ts";
import type { PayQrEventMap } from "./pay-qr-events.ts";

/** An event that was heard: its type and its detail. */
export interface HeardEvent {
  readonly type: string;
  readonly detail: unknown;
}

/** The requests that the stub broker received for one payment, and how many of them overlapped. */
export interface SeenPolls {
  readonly looks: readonly { readonly at: number; readonly status: number; readonly conditional: boolean }[];
  readonly mostInFlight: number;
  readonly sessionsAsked: number;
  readonly streamsAsked: number;
  readonly streamsOpen: number;
}

const EVENT_TYPES = [
  "pay-ready",
  "pay-paid",
  "pay-rejected",
  "pay-expired",
  "pay-error",
] as const satisfies readonly (keyof PayQrEventMap)[];

let brokerOrigin: Promise<string> | undefined;
let paymentCount = 0;

/** Returns the origin of the stub broker that the test runner has started. */
export function stubOrigin(): Promise<string> {
  brokerOrigin ??= fetch("/__stub-broker-origin.json")
    .then((response) => response.json())
    .then(({ origin }) => origin);
  return brokerOrigin;
}

/** One payment at the stub broker, with methods for the changes that may happen to it. */
export class StubbedPayment {
  readonly name: string;
  readonly origin: string;

  private constructor(name: string, origin: string) {
    this.name = name;
    this.origin = origin;
  }

  /** A new unpaid payment; `answer` overrides fields of what the broker says of it. */
  static async open(answer: Readonly<Record<string, unknown>> = {}): Promise<StubbedPayment> {
    paymentCount++;
    const payment = new StubbedPayment(`p${paymentCount}-${pageId}`, await stubOrigin());
    await payment.change({ answer });
    return payment;
  }

  /** Address of the merchant's endpoint for it. */
  get sessionUrl(): string {
    return `${this.origin}/shop/${this.name}`;
  }

  /** Sets fields of the broker's next answers, and sends a hint on open streams. */
  becomes(answer: Readonly<Record<string, unknown>>): Promise<void> {
    return this.change({ answer, stream: "hint" });
  }

  /** The same without a hint: only the next poll finds it. */
  becomesUnsaid(answer: Readonly<Record<string, unknown>>): Promise<void> {
    return this.change({ answer });
  }

  /** Changes the stub in any way that it supports. */
  async change(change: object): Promise<void> {
    await fetch(`${this.origin}/stub/${this.name}`, { method: "PUT", body: JSON.stringify(change) });
  }

  /** Reads the requests that the broker has seen so far. */
  async seen(): Promise<SeenPolls> {
    return (await fetch(`${this.origin}/stub/${this.name}`)).json();
  }
}

/** A `<pay-qr>` on the page, with methods for the person who looks at it and for the page that embeds it. */
export class PayQrHarness {
  readonly element: PayQr;
  readonly heard: HeardEvent[] = [];

  private constructor(element: PayQr) {
    this.element = element;
    for (const type of EVENT_TYPES) {
      element.addEventListener(type, (event) => this.heard.push({ type, detail: (event as CustomEvent).detail }));
    }
  }

  /** Puts the element on the page; not connected until {@link show} when `connect` is false. */
  static mount(payment: StubbedPayment, attributes: Readonly<Record<string, string>> = {}): PayQrHarness {
    const element = document.createElement("pay-qr");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute("broker", payment.origin);
    element.setAttribute("session-url", payment.sessionUrl);
    const harness = new PayQrHarness(element);
    document.body.append(element);
    return harness;
  }

  /** Everything that can be read on the card. */
  get text(): string {
    return this.#within(".card").textContent?.replace(/\s+/g, " ").trim() ?? "";
  }

  /** The last announcement to screen readers. */
  get announced(): string {
    return this.#within("[role=status]").textContent ?? "";
  }

  /** The element that announces changes to screen readers. */
  get liveRegion(): Element {
    return this.#within("[role=status]");
  }

  /** The code itself. */
  get qr(): SVGElement | null {
    return this.#root.querySelector("svg[role=img]");
  }

  /** The white plate with the code on it. */
  get plate(): HTMLElement {
    return this.#within(".plate");
  }

  /** How often an event was heard. */
  count(type: keyof PayQrEventMap): number {
    return this.heard.filter((event) => event.type === type).length;
  }

  /** The detail of the last event of a type. */
  detail(type: keyof PayQrEventMap): unknown {
    return this.heard.findLast((event) => event.type === type)?.detail;
  }

  /** Presses the button or link with that text. */
  press(label: string): void {
    this.control(label).click();
  }

  /** Presses what the code is folded under on a phone. */
  unfold(): void {
    this.#within("summary").click();
  }

  /** The button or link with that text. */
  control(label: string): HTMLElement {
    const controls = [...this.#root.querySelectorAll<HTMLElement>("button, a")];
    const found = controls.find((control) => control.textContent?.trim() === label);
    if (found === undefined) throw new Error(`no "${label}" among ${controls.map((control) => control.textContent)}`);
    return found;
  }

  /** Waits for a state, as a stylesheet sees it. */
  async reaches(state: string): Promise<void> {
    await until(() => this.element.matches(`:state(${state})`), `:state(${state})`);
    await this.element.updateComplete;
  }

  /** Waits until an event has been heard. */
  hears(type: keyof PayQrEventMap): Promise<void> {
    return until(() => this.count(type) > 0, type);
  }

  get #root(): ShadowRoot {
    if (this.element.shadowRoot === null) throw new Error("the element has not been drawn yet");
    return this.element.shadowRoot;
  }

  #within(selector: string): HTMLElement {
    const found = this.#root.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`nothing matches ${selector}`);
    return found;
  }
}
