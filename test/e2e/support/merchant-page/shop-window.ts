import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { WAIT_TIMEOUT_MS } from "../open-browser.ts";
import { Watch } from "../watch.ts";
import type { MerchantShop, ShopPage } from "./merchant-shop.ts";

/** The phases that elements show by `:state(…)`. */
const PHASES = [
  ...["loading", "awaiting", "paid", "expired", "cancelled", "failed"],
  ...["find", "amount", "confirm", "selling", "unsure", "receipt", "rejected", "shown", "refused"],
];

/** Globals of the page's own scripts: `heard` and, if the elements are in a foreign root, that root. */
interface ShopGlobals {
  readonly heard: readonly { readonly type: string; readonly detail: unknown }[];
  readonly foreignRoot?: ShadowRoot;
}

/** A request's address and its `cookie` header. */
interface Sent {
  readonly url: string;
  readonly cookie: string | undefined;
}

async function sentWith(request: Request): Promise<Sent> {
  const url = request.url();
  const bound = new AbortController();
  const late = delay(WAIT_TIMEOUT_MS, undefined, { signal: bound.signal }).then(() => {
    throw new Error(`the browser does not tell with which headers it asked for ${url}`);
  });
  late.catch(() => undefined);
  try {
    const { cookie } = await Promise.race([request.allHeaders(), late]);
    return { url, cookie };
  } finally {
    bound.abort();
  }
}

/** A page of the shop in a browser context of its own, and every request of it that was answered. */
export class ShopWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  readonly path: string;
  readonly #shop: MerchantShop;
  readonly #asked: Promise<Sent>[] = [];

  private constructor(context: BrowserContext, page: Page, watch: Watch, at: { shop: MerchantShop; path: string }) {
    [this.context, this.page, this.watch] = [context, page, watch];
    [this.#shop, this.path] = [at.shop, at.path];
  }

  /** Opens a page; `origin` is another origin of the shop's server, by default its own. */
  static async open(
    browser: Browser,
    shop: MerchantShop,
    shown: ShopPage,
    { origin = shop.origin, ...options }: BrowserContextOptions & { readonly origin?: string } = {},
  ): Promise<ShopWindow> {
    const context = await browser.newContext({ viewport: { width: 1_100, height: 900 }, locale: "es-CO", ...options });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    // Cookies know no ports: without care this one would go to the broker as well.
    await context.addCookies([{ name: "canary", value: "1", domain: "localhost", path: "/", sameSite: "Lax" }]);
    const watch = await Watch.over(context, origin);
    watch.allow(
      new RegExp(`^asked another origin: ${shop.broker}/(?:widgets/|v1/(?:sessions?|look-ups|recharges)\\b)`),
    );
    const page = await context.newPage();
    const path = shop.show(shown);
    const window = new ShopWindow(context, page, watch, { shop, path });
    // Once there is an answer, the headers that were sent are known; without one they may never be.
    page.on("response", (response) => {
      const sent = sentWith(response.request());
      // `asked` throws it; an answer that comes while the page closes concerns no test.
      sent.catch(() => undefined);
      window.#asked.push(sent);
    });
    await page.goto(`${origin}${path}`);
    return window;
  }

  /** Returns the phase of each of our elements by its name; also in the shop's closed root. */
  phases(): Promise<Record<string, string>> {
    return this.page.evaluate((phases) => {
      const { foreignRoot } = globalThis as unknown as ShopGlobals;
      const elements = [...(foreignRoot ?? document).querySelectorAll("pay-qr, recharge-form, user-quota")];
      const phaseOf = (element: Element) => phases.find((name) => element.matches(`:state(${name})`)) ?? "undefined";
      return Object.fromEntries(elements.map((element) => [element.localName, phaseOf(element)]));
    }, PHASES);
  }

  /** How often the page has heard each event. */
  async heard(): Promise<Record<string, number>> {
    const types = await this.page.evaluate(() => (globalThis as unknown as ShopGlobals).heard.map(({ type }) => type));
    return Object.fromEntries(types.map((type) => [type, types.filter((other) => other === type).length]));
  }

  /** Returns the QR's payload, as the link of the card carries it. */
  async payload(): Promise<string> {
    const link = await this.page.evaluate(() => {
      const root = (globalThis as unknown as ShopGlobals).foreignRoot ?? document;
      return root.querySelector("pay-qr")?.shadowRoot?.querySelector<HTMLAnchorElement>("a[part~=open]")?.href;
    });
    return decodeURIComponent(new URL(link ?? "about:blank").hash.slice(1));
  }

  /** Everything that others could read on the page: attributes and texts of any root, address, cookies and stores. */
  traces(): Promise<string> {
    return this.page.evaluate(async () => {
      const { foreignRoot } = globalThis as unknown as ShopGlobals;
      const roots: (Document | ShadowRoot)[] = [document, ...(foreignRoot ? [foreignRoot] : [])];
      const texts: string[] = [location.href, document.cookie, document.title];
      for (const root of roots) {
        texts.push(...[...root.childNodes].map((node) => node.textContent ?? ""));
        for (const element of root.querySelectorAll("*")) {
          texts.push(...[...element.attributes].map(({ name, value }) => `${name}=${value}`));
          if (element.shadowRoot !== null) roots.push(element.shadowRoot);
        }
      }
      const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      return JSON.stringify([...texts, ...stores, databases, await caches.keys(), history.state]);
    });
  }

  /** How many things the page's stores hold. */
  kept(): Promise<number> {
    return this.page.evaluate(async () => {
      const databases = await indexedDB.databases();
      return localStorage.length + sessionStorage.length + databases.length + (await caches.keys()).length;
    });
  }

  /** Returns the requests to the broker and to the shop so far, each with its cookies. */
  async asked(): Promise<Record<"broker" | "shop", readonly Sent[]>> {
    const all = await Promise.all(this.#asked);
    const of = (origin: string) => all.filter(({ url }) => new URL(url).origin === origin);
    return { broker: of(this.#shop.broker), shop: of(this.#shop.origin) };
  }

  /** By how many pixels the page is wider than its window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}
