import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { type Locale, localeOf, nearestLang } from "./language.ts";
import { browserPlatform } from "./platform.ts";
import { SessionCaller } from "./session-caller.ts";
import { type Caller, requestSession, type SessionSource, startedSession } from "./session-client.ts";
import type { SessionWatch } from "./session-watch.ts";

/** The part of an element's state that style sheets see. */
interface ShownState {
  readonly phase: string;
  /** The broker is unreachable. */
  readonly offline?: unknown;
}

/**
 * Base class of the elements of a widget session: the source of the session, language, states for style sheets, the
 * live region, and focus that stays inside when the focused node is gone.
 */
export abstract class SessionElement extends LitElement {
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

  /** Calls the broker with this element's session. */
  protected readonly caller = new SessionCaller(browserPlatform, () => this.source);
  readonly #internals = this.attachInternals();
  readonly #languageObserver = new MutationObserver(() => this.requestUpdate());
  #announcement = (): string => "";
  #focusWasInside = false;

  /** States for style sheets (`:state(…)`); the first is the phase. */
  protected get shownStates(): readonly string[] {
    const { phase, offline } = this.watch.state;
    return offline ? [phase, "offline"] : [phase];
  }

  /** Follows the session for this element. */
  protected abstract readonly watch: Pick<SessionWatch<ShownState, never>, "start" | "resume" | "pause" | "state">;

  /** Forgets the session and asks for another one. */
  abstract restart(): void;

  /** Renders the card's current content. */
  protected abstract renderCard(): TemplateResult;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#languageObserver.observe(document, { attributeFilter: ["lang"], subtree: true });
    if (this.hasUpdated) this.watch.resume();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is only moved is connected again before this runs, and goes on without a pause.
    queueMicrotask(() => this.isConnected || this.pause());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("sessionUrl") && this.hasUpdated) this.restart();
    if (changed.has("fetchSession")) this.watch.start();
    // Safari before 17.4 has none.
    const { states } = this.#internals;
    states?.clear();
    for (const state of this.shownStates) states?.add(state);
    this.#focusWasInside = this.shadowRoot?.activeElement != null;
  }

  protected override render(): TemplateResult {
    const { language } = this.locale;
    const busy = this.watch.state.phase === "loading";
    return html`
      <div class="card" part="card" tabindex="-1" lang=${language} aria-busy=${busy}>${this.renderCard()}</div>
      <div class="unseen" role="status" lang=${language}>${this.#announcement()}</div>`;
  }

  protected override firstUpdated(): void {
    if (this.isConnected) this.watch.resume();
  }

  /** Moves the focus of a button that is gone to the card's current content, not to the top of the page. */
  protected override updated(): void {
    const { activeElement, firstElementChild: card } = this.shadowRoot as ShadowRoot;
    if (!this.#focusWasInside || (activeElement ?? card) !== card) return;
    for (const part of this.renderRoot.querySelectorAll<HTMLElement>(".card, .outcome, .typed"))
      part.focus({ preventScroll: true });
  }

  /** Locale by the nearest `lang`. */
  protected get locale(): Locale {
    return localeOf(nearestLang(this));
  }

  /** The broker of a session that names none. */
  protected get brokerOrigin(): string {
    return this.broker ?? new URL(import.meta.url).origin;
  }

  /** The source of sessions; `undefined` until the page has given one. */
  protected get source(): (() => Promise<Caller>) | undefined {
    const { brokerOrigin, sessionUrl } = this;
    if (this.fetchSession !== undefined) return async () => startedSession(await this.fetchSession?.(), brokerOrigin);
    return sessionUrl ? () => requestSession(sessionUrl, brokerOrigin) : undefined;
  }

  /**
   * Announces a sentence, which is asked for again when the language changes; a live region reads only changes, so a
   * repeated sentence gets a space at its end.
   */
  protected announce(sentence: () => string): void {
    const isRepeated = sentence() === this.#announcement();
    this.#announcement = isRepeated ? () => `${sentence()}\u00a0` : sentence;
    this.requestUpdate();
  }

  /** Stops every timer, request and listener, and keeps the state. */
  protected pause(): void {
    this.watch.pause();
    this.#languageObserver.disconnect();
  }
}
