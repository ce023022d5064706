import type { Platform } from "./platform.ts";
import type { SessionCaller } from "./session-caller.ts";

/** Dependencies of a {@link SessionWatch}. */
export interface SessionWatchOptions<State, Change> {
  readonly platform: Platform;
  readonly caller: SessionCaller;
  /** Called once for each piece of news. */
  readonly tell: (news: Change, state: State) => void;
  /** Called when shown data has changed. */
  readonly changed: () => void;
}

/** Follows a session for an element that comes into a page and leaves it, without any rendering. */
export abstract class SessionWatch<
  State,
  Change,
  Options extends SessionWatchOptions<State, Change> = SessionWatchOptions<State, Change>,
> {
  /** The state before anything is known. */
  protected abstract readonly initial: State;
  protected readonly options: Options;
  #state: State | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: Options) {
    this.options = options;
  }

  /** The current state. */
  get state(): State {
    return this.#state ?? this.initial;
  }

  /** True while the element is in the page, and the page has given a source of sessions. */
  protected get canStart(): boolean {
    return this.#stopListening !== undefined && this.options.caller.canStart;
  }

  /** Starts if the page has only now given a source of sessions. */
  abstract start(): void;

  /** Starts, or resumes after {@link pause}. */
  resume(): void {
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.options.platform.onResume(() => this.turn());
    this.begin();
  }

  /** Requests missing data as soon as the element is in the page. */
  protected begin(): void {
    this.start();
  }

  /** Handles the page being shown, hidden or online again. */
  protected turn(): void {
    this.start();
  }

  /** Stops every timer, request and listener, and keeps the state. */
  pause(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Discards the session with all that is known of it, and requests another. */
  restart(): void {
    const isOpen = this.#stopListening !== undefined;
    this.pause();
    this.options.caller.forget();
    this.#state = undefined;
    this.options.changed();
    if (isOpen) this.resume();
  }

  /**
   * Applies one step and its effects, then reports its news: a page may well answer them with a restart. Returns true
   * if there were any. Without a step nothing changes.
   */
  protected take(step: { readonly state: State; readonly news: readonly Change[] } | undefined): boolean {
    if (step === undefined) return false;
    const { state, news } = step;
    const before = this.state;
    this.#state = state;
    this.options.changed();
    this.follow(state, before);
    for (const item of news) this.options.tell(item, state);
    return news.length > 0;
  }

  /** Carries out the effects of a step. */
  protected abstract follow(state: State, before: State): void;
}
