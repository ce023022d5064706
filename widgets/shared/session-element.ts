import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { type Locale, localeOf, nearestLang } from "./language.ts";
import { RenderedElement } from "./rendered-element.ts";
import { requestSession, type SessionSource, type StartedSession, startedSession } from "./session-client.ts";

/** Follows a session for an element, without any drawing. */
interface SessionWatch {
  /** Begins where the page has only now said how to get a session. */
  startIfPossible(): void;
  /** Begins, or goes on where {@link pause} left off. */
  resume(): void;
  /** Stops every timer, request and listener, and keeps what is known. */
  pause(): void;
}

/**
 * What every element of a widget session is besides what it shows: how the page says where its session comes from,
 * language, states for style sheets, the live region, and focus that stays when what was focused is gone.
 */
export abstract class SessionElement extends RenderedElement {
  static override properties: PropertyDeclarations = {
    sessionUrl: { attribute: "session-url" },
    broker: {},
    fetchSession: { attribute: false },
  };

  /** The merchant's own endpoint that makes a session; the element POSTs there. Another address is another session. */
  declare sessionUrl: string | undefined;
  /** Origin of the broker; by default the one that the script comes from. */
  declare broker: string | undefined;
  /** In place of `session-url`; giving another function changes nothing for a session that has begun. */
  declare fetchSession: SessionSource | undefined;

  readonly #internals = this.attachInternals();
  #languageObserver: MutationObserver | undefined;
  #announcement = "";
  #focusWasInside = false;

  /** What style sheets see as `:state(…)`; the first is the phase, and the card is busy while that is `loading`. */
  protected abstract get shownStates(): readonly string[];

  /** What follows the session. */
  protected abstract readonly watch: SessionWatch;

  /** Forgets the session and asks for another one. */
  abstract restart(): void;

  /** What is on the card now. */
  protected abstract renderCard(): TemplateResult;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#languageObserver ??= new MutationObserver(() => this.requestUpdate());
    this.#languageObserver.observe(document, { attributes: true, attributeFilter: ["lang"], subtree: true });
    if (this.hasUpdated) this.watch.resume();
  }

  disconnectedCallback(): void {
    // An element that is only moved is connected again before this runs, and goes on without a pause.
    queueMicrotask(() => this.isConnected || this.pause());
  }

  protected override willUpdate(changed: ReadonlySet<string>): void {
    if (changed.has("sessionUrl") && this.hasUpdated) this.restart();
    if (changed.has("fetchSession")) this.watch.startIfPossible();
    const { states } = this.#internals;
    states.clear();
    for (const state of this.shownStates) states.add(state);
    this.#focusWasInside = this.shadowRoot?.activeElement != null;
  }

  protected override render(): TemplateResult {
    const { language } = this.locale;
    const busy = this.shownStates[0] === "loading";
    return html`
      <div class="card" part="card" tabindex="-1" lang=${language} aria-busy=${busy}>${this.renderCard()}</div>
      <div class="unseen" role="status" lang=${language}>${this.#announcement}</div>`;
  }

  protected override firstUpdated(): void {
    if (this.isConnected) this.watch.resume();
  }

  /** Whoever pressed a button that is gone goes on at what the card is about now, not at the top of the page. */
  protected override updated(): void {
    const root = this.shadowRoot;
    if (!this.#focusWasInside || (root?.activeElement ?? root?.firstElementChild) !== root?.firstElementChild) return;
    for (const part of root?.querySelectorAll<HTMLElement>(".card, .outcome, .typed") ?? [])
      part.focus({ preventScroll: true });
  }

  /** By the nearest `lang`. */
  protected get locale(): Locale {
    return localeOf(nearestLang(this));
  }

  /** The broker of a session that names none. */
  protected get brokerOrigin(): string {
    return this.broker ?? new URL(import.meta.url).origin;
  }

  /** Asks the page or the merchant for a session; `undefined` while the page has not said where. */
  protected startSession(signal: AbortSignal): Promise<StartedSession> | undefined {
    if (this.fetchSession !== undefined) return this.fetchSession().then(startedSession);
    return this.sessionUrl ? requestSession(this.sessionUrl, signal) : undefined;
  }

  /** A live region reads only what changes: the same sentence twice differs by a space at its end. */
  protected announce(sentence: string): void {
    this.#announcement = sentence === this.#announcement ? `${sentence}\u00a0` : sentence;
    this.requestUpdate();
  }

  /** Stops every timer, request and listener, and keeps what is known. */
  protected pause(): void {
    this.watch.pause();
    this.#languageObserver?.disconnect();
  }
}
