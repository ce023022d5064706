import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { AppContext } from "../context/app-context.ts";
import { whenIdle } from "../platform/yield.ts";
import type { NicknameMap } from "./name-movements.ts";

type Context = Pick<AppContext, "api" | "session" | "store">;

/**
 * Controller that gives a page the person's nicknames for others, by user id, and updates the host when they change.
 * The broker keeps them, for all devices of the person, and the device keeps a copy with the person's data. They are
 * asked for when the host is connected, and a failure is no reason to stop: the page shows the copy.
 */
export class Nicknames implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #context: () => Context;
  readonly #changed = (): void => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost, context: () => Context) {
    this.#host = host;
    this.#context = context;
    host.addController(this);
  }

  /** All nicknames that are known. */
  get all(): NicknameMap {
    return this.#context().store.nicknames;
  }

  hostConnected(): void {
    this.#context().store.addEventListener("change", this.#changed);
    this.#load().catch(() => undefined);
  }

  hostDisconnected(): void {
    this.#context().store.removeEventListener("change", this.#changed);
  }

  /** Gives somebody a nickname, or takes it away where the text is blank; fails as the broker's operation does. */
  async put(userId: string, text: string): Promise<void> {
    const { api, store } = this.#context();
    const nickname = text.trim() === "" ? null : text.trim();
    await api.putMyNickname({ params: { user_id: userId }, body: { nickname } });
    const names = new Map(this.all);
    if (nickname === null) names.delete(userId);
    else names.set(userId, nickname);
    await store.keepNicknames(names);
  }

  async #load(): Promise<void> {
    const { api, session, store } = this.#context();
    const personId = session.shownId;
    // The page shows the kept ones first.
    await whenIdle();
    const { body } = await api.myNicknames({});
    if (personId !== session.shownId) return;
    await store.keepNicknames(new Map(body.map(({ user_id: id, nickname }) => [id, nickname])));
  }
}
