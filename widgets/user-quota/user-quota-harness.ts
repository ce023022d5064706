import { expectEqual, pageId, pause, until } from "../shared/browser-test.ts";
import { sampleQuota } from "./sample-quota.ts";
import type { UserQuota } from "./user-quota.ts";
import type { UserQuotaEventMap } from "./user-quota-events.ts";

const EVENT_TYPES = ["quota-loaded", "quota-error"] as const satisfies readonly (keyof UserQuotaEventMap)[];

/** The requests for one user's sessions that stub broker and merchant received, and how many of them overlapped. */
export interface SeenQuotaPolls {
  readonly looks: readonly { readonly at: number; readonly status: number; readonly conditional: boolean }[];
  readonly mostInFlight: number;
  readonly sessionsAsked: number;
}

let brokerOrigin: Promise<string> | undefined;
let userCount = 0;

/** One user at the stub broker, with methods for the changes that may happen to them. */
export class StubbedUser {
  readonly name: string;
  readonly origin: string;

  private constructor(name: string, origin: string) {
    this.name = name;
    this.origin = origin;
  }

  /** A user whose quota may be shown; `answer` overrides fields of what the broker says of it. */
  static async open(answer: object = {}): Promise<StubbedUser> {
    brokerOrigin ??= fetch("/__stub-broker-origin.json")
      .then((response) => response.json())
      .then(({ origin }) => origin);
    userCount++;
    const user = new StubbedUser(`q${userCount}-${pageId}`, await brokerOrigin);
    await user.change({ answer: { ...sampleQuota(), ...answer } });
    return user;
  }

  /** Address of the merchant's endpoint for their sessions. */
  get sessionUrl(): string {
    return `${this.origin}/shop/${this.name}`;
  }

  /** Sets fields of the broker's next answers. */
  becomes(answer: object): Promise<void> {
    return this.change({ answer });
  }

  /** Changes the stub in any way that it supports. */
  async change(change: object): Promise<void> {
    await fetch(`${this.origin}/stub/${this.name}`, { method: "PUT", body: JSON.stringify(change) });
  }

  /** Reads the requests so far. */
  async seen(): Promise<SeenQuotaPolls> {
    return (await fetch(`${this.origin}/stub/${this.name}`)).json();
  }

  /** Waits until the element has polled exactly that many times. */
  async looked(times: number): Promise<void> {
    while ((await this.seen()).looks.length < times) await pause(20);
    expectEqual((await this.seen()).looks.length, times);
  }
}

/** A `<user-quota>` on the page, with methods for the person who looks at it and for the page that embeds it. */
export class UserQuotaHarness {
  readonly element: UserQuota;
  readonly heard: { readonly type: string; readonly detail: unknown }[] = [];

  private constructor(element: UserQuota) {
    this.element = element;
    for (const type of EVENT_TYPES) {
      element.addEventListener(type, (event) => this.heard.push({ type, detail: (event as CustomEvent).detail }));
    }
  }

  /** Puts the element on the page. */
  static mount(user: StubbedUser, attributes: Readonly<Record<string, string>> = {}): UserQuotaHarness {
    const element = document.createElement("user-quota");
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.setAttribute("broker", user.origin);
    element.setAttribute("session-url", user.sessionUrl);
    const harness = new UserQuotaHarness(element);
    document.body.append(element);
    return harness;
  }

  /** All text of the card, including text for screen readers only. */
  get text(): string {
    return this.within(".card").textContent?.replace(/\s+/g, " ").trim() ?? "";
  }

  /** The last announcement to screen readers. */
  get announced(): string {
    return this.within("[role=status]").textContent ?? "";
  }

  /** The button that hides the amounts. */
  get mask(): HTMLElement {
    return this.within("[part~=mask]");
  }

  /** How often an event was heard. */
  count(type: keyof UserQuotaEventMap): number {
    return this.heard.filter((event) => event.type === type).length;
  }

  /** The detail of the last event of a type. */
  detail(type: keyof UserQuotaEventMap): unknown {
    return this.heard.findLast((event) => event.type === type)?.detail;
  }

  /** The button with that text. */
  button(label: string): HTMLElement {
    const buttons = [...this.#root.querySelectorAll("button")];
    const found = buttons.find((button) => button.textContent?.trim() === label);
    if (found === undefined) throw new Error(`no "${label}" among ${buttons.map((button) => button.textContent)}`);
    return found;
  }

  /** Waits for a state, as a stylesheet sees it. */
  async reaches(state: string): Promise<void> {
    await until(() => this.element.matches(`:state(${state})`), `:state(${state})`);
    await this.element.updateComplete;
  }

  /** Waits until something can be read on the card. */
  async reads(text: string): Promise<void> {
    await until(() => this.text.includes(text), text);
  }

  /** The first element of the card that matches. */
  within(selector: string): HTMLElement {
    const found = this.#root.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`nothing matches ${selector}`);
    return found;
  }

  get #root(): ShadowRoot {
    if (this.element.shadowRoot === null) throw new Error("the element has not been drawn yet");
    return this.element.shadowRoot;
  }
}
