import { existsSync } from "node:fs";
import type { Browser, Locator } from "playwright-core";
import { showToCamera } from "../../e2e/support/camera.ts";
import { Finger, middleOf } from "../../e2e/support/finger.ts";
import { openBrowser } from "../../e2e/support/open-browser.ts";
import { Phone } from "../../e2e/support/phone.ts";
import { Product } from "../../e2e/support/product.ts";
import { ServiceApi } from "../../e2e/support/service-api.ts";
import { Shop } from "../../e2e/support/shop.ts";
import { aRelay } from "../../support/relay.ts";
import { type Spread, spreadOf } from "../statistics.ts";
import { feedbackOf, shownAt, watchFeedback } from "./watch-feedback.ts";

/** Waiting times on a slow phone that has nothing of the app yet. */
export interface SlowPhoneReport {
  readonly rounds: number;
  /** From opening the app until its first button can be pressed. */
  readonly welcomeMs: Spread;
  /** From the press on Scan, with a code before the camera, until the code is read. */
  readonly codeReadMs: Spread;
  /** The same as `feedbackMs`, of a page with a button and nothing else: this machine's own wait. */
  readonly barePageMs: Spread;
  /** From a press until the first frame that shows an answer, by what is pressed. */
  readonly feedbackMs: Readonly<Record<string, Spread>>;
}

const ROUNDS = 5;
/** Slow 3G: 400 ms for a way there and back, 400 kbit/s. */
const SLOW_3G = { delayMs: 200, bytesPerSecond: 50_000 } as const;
/** How many times slower the processor is made. */
const SLOWDOWN = 4;
const TIMEOUT_MS = 60_000;

/** Measures waiting times of the app as it is built: a slow network, a slow processor, and nothing in the cache. */
export async function benchSlowPhone(
  interrupted: Promise<never>,
  tell: (line: string) => void,
): Promise<SlowPhoneReport> {
  if (!existsSync("dist/app/index.html")) throw new Error("dist/app is not there: run npm run build before the bench.");
  tell("Starting the product and a Chromium …");
  const product = await Product.start();
  const relay = await aRelay(product.place.port, { speed: SLOW_3G });
  // Pages, workers and the service worker keep the origin, and reach it over the slow line.
  const byRelay = `--host-resolver-rules=MAP localhost:${product.place.port} 127.0.0.1:${relay.port}`;
  const [browser, slowBrowser] = await Promise.all([openBrowser(), openBrowser([byRelay])]);
  try {
    return await Promise.race([measure({ browser, slowBrowser, product, tell }), interrupted]);
  } finally {
    await Promise.all([browser.close(), slowBrowser.close()]);
    await relay.close();
    await product.remove();
  }
}

interface Stage {
  /** The browser of the shop's customers, and that of the phone. */
  readonly browser: Browser;
  readonly slowBrowser: Browser;
  readonly product: Product;
  readonly tell: (line: string) => void;
}

async function measure({ browser, slowBrowser, product, tell }: Stage): Promise<SlowPhoneReport> {
  const { merchant, payer } = product.demo.users;
  const earlier = { from_user_id: payer.id, to_user_id: merchant.id, amount: 8_000 };
  await (await ServiceApi.of(product.demo)).client.createTransaction({ body: earlier });
  const taken: Wait[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    tell(`On a slow phone, ${round + 1} of ${ROUNDS} …`);
    const shop = await Shop.open(browser, product);
    const qrImage = await shop.qrImage();
    await shop.context.close();
    const phone = await slowPhone(slowBrowser, product);
    const finger = new Finger(await phone.context.newCDPSession(phone.page));
    for await (const one of new Visit(phone, finger).waits(product.origin, qrImage)) taken.push(one);
    await phone.context.close();
  }
  const names = [...new Set(taken.map(({ name }) => name))];
  const spreads = names.map((name) => [name, spreadOf(taken.filter((one) => one.name === name).map(({ ms }) => ms))]);
  const {
    welcome,
    "code read": codeRead,
    "bare page": barePage,
    ...feedbackMs
  } = Object.fromEntries(spreads) as Record<string, Spread>;
  if (welcome === undefined || codeRead === undefined || barePage === undefined)
    throw new Error("nothing was measured");
  return { rounds: ROUNDS, welcomeMs: welcome, codeReadMs: codeRead, barePageMs: barePage, feedbackMs };
}

/** A slow phone that was never here: nothing is in its cache, and its service worker is not installed. */
async function slowPhone(browser: Browser, product: Product): Promise<Phone> {
  const phone = await Phone.take(browser, product, { isMobile: true });
  phone.context.setDefaultTimeout(TIMEOUT_MS);
  await watchFeedback(phone.page);
  const tools = await phone.context.newCDPSession(phone.page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return phone;
}

/** A page with a button that answers a press by its text, and nothing else. */
const BARE_PAGE = `<!doctype html><meta name="viewport" content="width=device-width">
<button style="padding: 24px" onpointerdown="textContent = 'Pressed'">Press</button>`;

/** Something that a person waited for, and how long. */
interface Wait {
  readonly name: string;
  readonly ms: number;
}

/** The person's visit on a slow phone: each page is opened for the first time. */
class Visit {
  readonly #phone: Phone;
  readonly #finger: Finger;

  constructor(phone: Phone, finger: Finger) {
    this.#phone = phone;
    this.#finger = finger;
  }

  /** Presses the bare page's button, signs in, pays the code, and looks around; yields each wait. */
  async *waits(origin: string, qrImage: Buffer): AsyncGenerator<Wait> {
    const { page } = this.#phone;
    await page.goto(`data:text/html,${encodeURIComponent(BARE_PAGE)}`);
    yield await this.#press("bare page", page.locator("button"));
    yield* this.#signIn(origin);
    yield* this.#scanAndPay(qrImage);
    yield* this.#lookAround();
  }

  async *#signIn(origin: string): AsyncGenerator<Wait> {
    const { page, words } = this.#phone;
    await page.goto(origin, { waitUntil: "commit" });
    yield { name: "welcome", ms: await shownAt(page, ["cupo-app", "cupo-welcome-page", ".person"]) };
    const signIn = page.getByRole("button", { name: words.welcome.continueAs("Ana") });
    yield await this.#press("sign in", signIn);
    await this.#isHome();
  }

  async *#scanAndPay(qrImage: Buffer): AsyncGenerator<Wait> {
    const { page, payButton, words } = this.#phone;
    await showToCamera(page, qrImage);
    yield await this.#press("tab scan", this.#link(words.tabs.scan));
    const pressedAt = await page.evaluate(() => globalThis.pressedAt);
    yield { name: "code read", ms: (await shownAt(page, ["cupo-app", "cupo-confirm-page"])) - pressedAt };
    yield await this.#press("Pay", payButton);
    await page.locator(".receipt h1").waitFor();
    await page.goto(new URL("/", page.url()).href);
    await this.#isHome();
  }

  async *#lookAround(): AsyncGenerator<Wait> {
    const { page, words } = this.#phone;
    for (const tab of ["history", "receive", "profile"] as const) {
      yield await this.#press(`tab ${tab}`, this.#link(words.tabs[tab]));
      await page.locator(`cupo-${tab}-page`).waitFor();
      await this.#link(words.tabs.home).click();
      await this.#isHome();
    }
    yield await this.#press("Transfer on Home", this.#link(words.home.transfer));
    await page.locator("cupo-transfer-page").waitFor();
    await page.goBack();
    yield await this.#press("Statements on Home", this.#link(words.list.statements));
    await page.locator("cupo-summary-page").waitFor();
    await page.goBack();
    yield await this.#press("a movement on Home", page.locator("cupo-home-page cupo-movement-list a.row").first());
    await page.locator("cupo-receipt-page .who").waitFor();
  }

  #link(name: string): Locator {
    return this.#phone.page.getByRole("link", { name, exact: true });
  }

  async #isHome(): Promise<void> {
    await this.#phone.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  }

  async #press(name: string, place: Locator): Promise<Wait> {
    const { page } = this.#phone;
    await place.click({ trial: true });
    const point = await middleOf(place);
    // A person presses a page at rest, not in the frame in which it was scrolled.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    await this.#finger.tap(point);
    return { name, ms: await feedbackOf(page) };
  }
}
