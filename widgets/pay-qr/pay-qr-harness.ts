import type { PayQr } from "./pay-qr.ts";
import type { PayQrEventMap } from "./pay-qr-events.ts";

/** What happened, in order: the event's type and its detail. */
export interface HeardEvent {
  readonly type: string;
  readonly detail: unknown;
}

/** The requests that the broker saw for one payment. */
export interface SeenLooks {
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

/** Origin of the broker that the test runner has started. */
export function stubOrigin(): Promise<string> {
  brokerOrigin ??= fetch("/__stub-broker-origin.json")
    .then((response) => response.json())
    .then(({ origin }) => origin);
  return brokerOrigin;
}

/** One payment at the stub broker, in the words of what may happen to it. */
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
    const payment = new StubbedPayment(`p${paymentCount}-${performance.now().toFixed(0)}`, await stubOrigin());
    await payment.change({ answer });
    return payment;
  }

  /** Address of the merchant's endpoint for it. */
  get sessionUrl(): string {
    return `${this.origin}/shop/${this.name}`;
  }

  /** The broker's next answers have these fields. */
  becomes(answer: Readonly<Record<string, unknown>>): Promise<void> {
    return this.change({ answer });
  }

  /** Anything that the stub can be told. */
  async change(change: object): Promise<void> {
    await fetch(`${this.origin}/stub/${this.name}`, { method: "PUT", body: JSON.stringify(change) });
  }

  /** What the broker has seen so far. */
  async seen(): Promise<SeenLooks> {
    return (await fetch(`${this.origin}/stub/${this.name}`)).json();
  }
}

/** A `<pay-qr>` on the page, in the words of the person who looks at it and of the page that embeds it. */
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

  /** What a screen reader was last told. */
  get announced(): string {
    return this.#within("[role=status]").textContent ?? "";
  }

  /** The element that says what happens to those who do not see it. */
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

  /** The button or link with that text. */
  control(label: string): HTMLElement {
    const controls = [...this.#root.querySelectorAll<HTMLElement>("button, a")];
    const found = controls.find((control) => control.textContent?.trim() === label);
    if (found === undefined) throw new Error(`no "${label}" among ${controls.map((control) => control.textContent)}`);
    return found;
  }

  /** Waits for a state, as a stylesheet sees it. */
  async reaches(state: string, timeoutMs = 4_000): Promise<void> {
    await until(() => this.element.matches(`:state(${state})`), `:state(${state})`, timeoutMs);
    await this.element.updateComplete;
  }

  /** Waits until an event has been heard. */
  hears(type: keyof PayQrEventMap, timeoutMs = 4_000): Promise<void> {
    return until(() => this.count(type) > 0, type, timeoutMs);
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

/** Waits until something is so. */
export async function until(isSo: () => boolean, what: string, timeoutMs = 4_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(20);
  }
}

/** Lets time pass. */
export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Asks the test runner for what a page cannot do to itself; its own package for this is no dependency of ours. */
async function command<T>(name: string, payload: unknown = {}): Promise<T> {
  const address = "/__web-dev-server__web-socket.js";
  const { sendMessageWaitForResponse } = await import(/* @vite-ignore */ address);
  const sessionId = new URL(location.href).searchParams.get("wtr-session-id");
  const response = await sendMessageWaitForResponse({ type: "wtr-command", sessionId, command: name, payload });
  if (!response.executed) throw new Error(`the test runner does not know ${name}`);
  return response.result;
}

/** How the browser shows pages from now on. */
export interface Appearance {
  readonly colorScheme?: "light" | "dark";
  readonly forcedColors?: "active" | "none";
  readonly reducedMotion?: "reduce" | "no-preference";
  readonly width?: number;
  readonly scale?: number;
}

/** Sets how the browser shows pages; what is absent is as usual. */
export async function appear(appearance: Appearance = {}): Promise<void> {
  await command("cupo:look", appearance);
  await new Promise(requestAnimationFrame);
}

/** The pixels of an element as they are on the screen. */
export async function pixelsOf(element: Element): Promise<ImageData> {
  element.scrollIntoView({ block: "center" });
  await new Promise(requestAnimationFrame);
  const { x, y, width, height } = element.getBoundingClientRect();
  const png = await command<string>("cupo:screenshot", { x: x + scrollX, y: y + scrollY, width, height });
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/** What the page holds after a garbage collection. */
export function memory(): Promise<{ readonly Nodes: number; readonly JSEventListeners: number }> {
  return command("cupo:memory");
}
