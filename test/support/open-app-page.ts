import type { AppContext } from "../../pwa/context/app-context.ts";
import type { Page } from "../../pwa/context/page.ts";
import { loadWords } from "../../pwa/language/language.ts";
import { AttemptStore } from "../../pwa/store/attempt-store.ts";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { words } from "../../src/language/es/app/start.ts";
import {
  afterEachPage,
  expectAccessible,
  expectTrue,
  setMediaFeatures,
  until,
} from "../../widgets/shared/browser-test.ts";

/** The data that these pages get from the broker and the device, as far as they ask. */
export interface Given {
  readonly fragment?: string;
  readonly movement?: Movement;
  readonly masked?: boolean;
  readonly api?: object;
  readonly store?: object;
  readonly session?: object;
  /** The choices with which the person left the page. */
  readonly choices?: unknown;
}

/** Opens a page, and waits until it is complete, or until the `wanted` element is there. */
export async function openPage(
  tag: string,
  given: Given = {},
  wanted?: string,
): Promise<{ page: Page; text: () => string; announced: string[] }> {
  const announced: string[] = [];
  const { fragment = "", masked = false, movement } = given;
  const store = Object.assign(new EventTarget(), {
    ...{ movement: async () => movement, movements: async () => [], pendingApprovals: [] },
    ...{ sync: async () => undefined, syncing: false, isComplete: true, dropPendingApproval: () => undefined },
    nicknames: new Map<string, string>(),
    keepNicknames: async (nicknames: Map<string, string>) => {
      store.nicknames = nicknames;
      store.dispatchEvent(new Event("change"));
    },
    ...given.store,
  });
  const me = { currency: "COP", name: "Luis Rojas", business_name: "Café La Esquina" };
  const session = Object.assign(new EventTarget(), { masked, me, refresh: async () => me, ...given.session });
  const api = { myNicknames: async () => ({ body: [] }), ...given.api };
  const clock = { now: () => Date.parse("2026-03-31T18:00Z"), elapsed: () => performance.now() };
  const attempts = new AttemptStore(sessionStorage);
  const context = { api, attempts, clock, session, store, words, language: "es", newId: () => crypto.randomUUID() };
  const router = { place: { fragment, path: "/here" }, back: () => undefined, keep: () => undefined };
  const page = document.createElement(tag) as Page;
  if (given.choices !== undefined) page.choices = given.choices;
  page.context = { ...context, router, announce: (said: string) => announced.push(said) } as unknown as AppContext;
  const main = document.createElement("main");
  main.append(page);
  document.body.append(main);
  const isThere = (): boolean =>
    wanted === undefined
      ? page.shadowRoot?.querySelector(".blank") === null && page.shadowRoot.childElementCount > 0
      : page.shadowRoot?.querySelector(wanted) !== null;
  await until(isThere, "the page");
  const text = (): string => (page.shadowRoot?.textContent ?? "").replaceAll(/\s+/g, " ");
  return { page, text, announced };
}

/** Fails where axe finds a fault on a page, light or dark. */
export async function expectNoFault(tag: string, given: Given, wanted?: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await setMediaFeatures({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible((await openPage(tag, given, wanted)).page);
    afterEachPage();
  }
}

/** Fails unless a text has every part. */
export function shows(text: string, ...parts: readonly string[]): void {
  for (const part of parts) expectTrue(text.includes(part), `${part} is not in ${text}`);
}

/** Loads the app's own colours and a part of its words for the tests of pages, and empties the document after each. */
export function inAppColours(part: Parameters<typeof loadWords>[0] = "receipts"): void {
  before(async () => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/pwa/design/base.css" });
    const loaded = new Promise((done) => sheet.addEventListener("load", done));
    document.head.append(sheet);
    await Promise.all([loaded, loadWords(part, "es")]);
  });
  after(() => setMediaFeatures());
  afterEach(afterEachPage);
}
