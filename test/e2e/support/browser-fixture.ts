import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { Phone, type PhoneOptions } from "./phone.ts";
import { aPlace, Product } from "./product.ts";
import { ServiceApi } from "./service-api.ts";
import { Shop } from "./shop.ts";
import { Showcase } from "./showcase.ts";
import { zoneAtNoon } from "./zone-at-noon.ts";

interface Opened {
  readonly thing: Phone | Shop | Showcase;
  /** Opened in a test, and so closed with it. */
  readonly forOneTest: boolean;
}

/** How a fixture differs from the usual one: this checkout's product, with Spanish phones. */
interface FixtureOptions {
  /** The checkout that the product is started from. */
  readonly root?: string;
  /** The language of its phones. */
  readonly language?: string;
}

/** A running product of one test file, a browser, and everything that was opened in it. */
export class BrowserFixture {
  #product: Product | undefined;
  #browser: Browser | undefined;
  #api: ServiceApi | undefined;
  readonly #opened = new Set<Opened>();
  #inTest = false;
  readonly #open: () => Promise<Browser>;
  readonly #options: () => FixtureOptions;
  readonly #endings: (() => Promise<unknown>)[] = [];

  constructor(open: () => Promise<Browser>, options: () => FixtureOptions) {
    this.#open = open;
    this.#options = options;
  }

  get product(): Product {
    if (this.#product === undefined) throw new Error("the product runs from beforeAll on");
    return this.#product;
  }

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error("the browser runs from beforeAll on");
    return this.#browser;
  }

  get api(): ServiceApi {
    if (this.#api === undefined) throw new Error("the API is there from beforeAll on");
    return this.#api;
  }

  /** Starts product and browser. */
  async start(): Promise<void> {
    const { root } = this.#options();
    // No business day ends meanwhile, and makes yesterday's payments of today's.
    const place = { ...(await aPlace()), timeZone: zoneAtNoon(new Date()) };
    const starting = Product.start(place, root === undefined ? {} : { root });
    [this.#product, this.#browser] = await Promise.all([starting, this.#open()]);
    this.#api = await ServiceApi.of(this.#product.demo);
  }

  /** A phone on which nobody is signed in. */
  newPhone(options?: PhoneOptions): Promise<Phone> {
    const { language } = this.#options();
    const usual = language === undefined ? {} : { language };
    return this.#keep(Phone.take(this.browser, this.product, { ...usual, ...options }));
  }

  /** A phone on which a demo person is signed in. */
  async phoneOf(person: "payer" | "merchant", options?: PhoneOptions): Promise<Phone> {
    const phone = await this.newPhone(options);
    await phone.signInBy(this.product.demo.users[person].sign_in_url);
    return phone;
  }

  /** The shop's page with a new order. */
  shop(): Promise<Shop> {
    return this.#keep(Shop.open(this.browser, this.product));
  }

  /** The showcase of the elements. */
  gallery(): Promise<Showcase> {
    return this.#keep(Showcase.open(this.browser, this.product));
  }

  async #keep<T extends Phone | Shop | Showcase>(opening: Promise<T>): Promise<T> {
    const thing = await opening;
    this.#opened.add({ thing, forOneTest: this.#inTest });
    return thing;
  }

  /** Begins a test. */
  enter(): void {
    this.#inTest = true;
  }

  /** Ends a test: closes everything that was opened in it, and returns its faults. */
  async leave(): Promise<readonly string[]> {
    this.#inTest = false;
    const faults = [...this.#opened].flatMap(({ thing }) => thing.watch.takeFaults());
    for (const opened of this.#opened) {
      if (!opened.forOneTest) continue;
      this.#opened.delete(opened);
      await opened.thing.context.close();
    }
    return [...faults, ...(this.#product?.takeLogged() ?? [])];
  }

  /** Has something of a test file's own ended with the fixture, however its tests went. */
  atEnd(ending: () => Promise<unknown>): void {
    this.#endings.push(ending);
  }

  /** Ends everything, and only then throws the errors of what could not be ended. */
  async end(): Promise<void> {
    const endings = [...this.#endings, () => this.#browser?.close(), () => this.#product?.remove()];
    const ended = await Promise.allSettled(endings.map((ending) => ending()));
    const failures = ended.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be ended");
  }
}

/**
 * The fixture of a test file, from before its first test until after its last. After every test no page may have had an
 * error, a violation of its policy or a request to another origin, and the product no error in its log. Its browser is
 * Chromium, unless another is opened for it.
 */
export function aBrowserFixture(
  open: () => Promise<Browser> = openBrowser,
  options: () => FixtureOptions = () => ({}),
): BrowserFixture {
  const fixture = new BrowserFixture(open, options);
  beforeAll(() => fixture.start());
  beforeEach(() => fixture.enter());
  afterEach(async () => {
    const faults = await fixture.leave();
    expect(faults, faults.join("\n")).toEqual([]);
  });
  afterAll(() => fixture.end());
  return fixture;
}
