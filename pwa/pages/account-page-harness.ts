import { ApiError } from "../../src/contract/shared/errors.ts";
import { words } from "../../src/language/es/app/start.ts";
import { expectAccessible, setMediaFeatures, until } from "../../widgets/shared/browser-test.ts";
import type { AppContext } from "../context/app-context.ts";
import type { Page } from "../context/page.ts";
import { InstallOffer } from "../install/install-offer.ts";
import { AttemptStore } from "../store/attempt-store.ts";

/** An id of anything. */
export const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
/** The moment on the pages' clock. */
export const NOW = "2026-03-31T18:00:00.000Z";

/** The only device of the person. */
export const device = { id: ID, name: "Chrome, Android", created_at: NOW, last_used_at: NOW, current: true };
const none = { entity: null, own: null };
const limits = {
  ...{ payment: { entity: 500_000, own: 100_000 }, day: { entity: 1_000_000, own: null }, first_time_payee: none },
  ...{ spent_today: 25_000, currency: "COP" },
};

/** Makes an operation that answers with a body. */
export const answers = (body: unknown) => async () => ({ body });
/** Makes an operation that the broker refuses. */
export const refuses = (code: ConstructorParameters<typeof ApiError>[0]) => async () => {
  throw new ApiError(code);
};

/** The parts of a page's context that a test sets. */
interface Given {
  readonly api?: object;
  readonly fragment?: string;
  readonly state?: object;
  readonly hasPasskey?: boolean;
  /** Asks the broker who is signed in. */
  readonly refresh?: () => Promise<unknown>;
}

/** A page that is open. */
export interface Opened {
  readonly page: Page;
  readonly said: () => string;
  readonly gone: readonly string[];
  readonly unlocked: () => number;
}

/** Everything that the page and its sections show. */
function textOf(root: ParentNode): string {
  return [...root.querySelectorAll("*")]
    .map((element) => (element.shadowRoot === null ? "" : textOf(element.shadowRoot)))
    .concat(root.textContent ?? "")
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** Opens a page as the person of the tests, whose broker answers as given. */
export async function open(
  tag: string,
  { api, fragment = "", state = {}, hasPasskey = true, refresh }: Given = {},
): Promise<Opened> {
  const gone: string[] = [];
  let unlocks = 0;
  const me = { name: "Ana Torres", business_name: null, demo: !hasPasskey };
  const session = Object.assign(new EventTarget(), {
    ...{ me, hasPasskey, expected: true, refresh: refresh ?? (async () => me) },
    ...{ expect: () => undefined, forget: async () => undefined },
  });
  const router = {
    place: { fragment, path: "/here", state },
    keep: (path: string) => gone.push(path),
    go: (path: string) => gone.push(path),
  };
  const nobody = { demoPeople: refuses("not_found"), mySessions: answers([]), mySellingRequests: answers([]) };
  const own = { myDevices: answers([device]), myLimits: answers(limits), myAccountChanges: answers([]) };
  const context = {
    ...{ api: { ...nobody, ...own, ...api }, session, router, words, language: "es" },
    ...{ clock: { now: () => Date.parse(NOW) }, announce: () => undefined, settings: { theme: "system" } },
    lock: { minutes: 5, unlock: () => unlocks++ },
    install: new InstallOffer(window),
    newId: () => ID,
    attempts: new AttemptStore(sessionStorage),
  };
  const page = document.createElement(tag) as Page;
  page.context = context as unknown as AppContext;
  const main = document.createElement("main");
  main.append(page);
  document.body.append(main);
  await page.updateComplete;
  return { page, gone, said: () => textOf(page.shadowRoot as ParentNode), unlocked: () => unlocks };
}

/** Waits until a page says each of these. */
export async function says({ said }: Opened, ...parts: readonly string[]): Promise<void> {
  for (const part of parts) await until(() => said().includes(part), `${part} in ${said()}`);
}

/** Checks that axe finds nothing, light and dark. */
export async function looksRight({ page }: Opened): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await setMediaFeatures({ colorScheme, width: 360 });
    await expectAccessible(page);
  }
}
