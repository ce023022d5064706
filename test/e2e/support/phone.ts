import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Failure } from "../../../pwa/platform/problem.ts";
import { type AppWords, appWords } from "./app-words.ts";
import { installCamera } from "./camera.ts";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { Product } from "./product.ts";
import { Watch } from "./watch.ts";
import { zoneAtNoon } from "./zone-at-noon.ts";

/** The names that the app has for the demo's people. */
const PEOPLE = Object.freeze({ payer: "Ana", merchant: "Café La Candelaria" });

/** The languages that browsers ask for, where that is one of a region. */
const REGIONAL: Readonly<Record<string, string>> = Object.freeze({ es: "es-CO", en: "en-US" });

/** The fields that a person reads before paying. */
interface ToConfirm {
  readonly payee: string;
  readonly amount: string;
  readonly checkCode: string;
  readonly reference: string;
}

/** How a phone differs from the usual one: Spanish, 360 × 740, with a camera. */
export interface PhoneOptions
  extends Pick<BrowserContextOptions, "colorScheme" | "isMobile" | "permissions" | "serviceWorkers" | "viewport"> {
  readonly language?: string;
  /** The browser's own camera instead of the one that `showToCamera` serves. */
  readonly ownCamera?: boolean;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The app on a phone; its methods are the actions of the person who holds it. */
export class Phone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  readonly words: AppWords;
  readonly #origin: string;

  private constructor(
    context: BrowserContext,
    page: Page,
    { watch, words, origin }: Pick<Phone, "watch" | "words"> & { readonly origin: string },
  ) {
    this.context = context;
    this.page = page;
    this.watch = watch;
    this.words = words;
    this.#origin = origin;
  }

  /** Takes a new phone: nobody is signed in, no page is open. */
  static async take(
    browser: Browser,
    { origin, root }: Pick<Product, "origin"> & Partial<Pick<Product, "root">>,
    { language = "es", ownCamera = false, ...options }: PhoneOptions = {},
  ): Promise<Phone> {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      locale: REGIONAL[language] ?? language,
      timezoneId: zoneAtNoon(new Date()),
      ...options,
    });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    const watch = await Watch.over(context, origin);
    if (!ownCamera) await installCamera(context);
    const page = await context.newPage();
    return new Phone(context, page, { watch, words: await appWords(language, root), origin });
  }

  /** The same phone's next tab, signed in as the same person. */
  async nextTab(): Promise<Phone> {
    const { context, watch, words } = this;
    return new Phone(context, await context.newPage(), { watch, words, origin: this.#origin });
  }

  /** Opens an address of the app. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}${path}`);
  }

  /** Presses the button of a demo person on the welcome page. */
  async continueAs(person: keyof typeof PEOPLE): Promise<void> {
    await this.open("/");
    await this.page.getByRole("button", { name: this.words.welcome.continueAs(PEOPLE[person]) }).click();
    await this.page.locator("cupo-home-page .quota .money").waitFor();
  }

  /** Opens a demo person's address of demo.json, which signs in. */
  async signInBy(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  }

  /** Waits until the service worker serves the app, as it does seconds after the first visit. */
  async untilKept(): Promise<void> {
    await this.page.evaluate(async () => {
      const { serviceWorker } = navigator;
      if (serviceWorker.controller !== null) return;
      await new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
    });
  }

  /** The amount that Home shows as left to spend, freshly loaded. */
  async available(): Promise<string> {
    await this.open("/");
    const quota = this.page.locator("cupo-home-page .quota[aria-busy=false] .money");
    return plain(await quota.innerText());
  }

  /** Opens Scan from the tab bar. */
  async openScan(): Promise<void> {
    await this.open("/");
    await this.page.getByRole("link", { name: this.words.tabs.scan, exact: true }).click();
    await this.page.getByRole("heading", { name: this.words.scan.title }).waitFor();
  }

  /** Chooses an image file on Scan. */
  async chooseImage(mimeType: string, buffer: Buffer): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.page.getByRole("button", { name: this.words.scan.image }).click(),
    ]);
    await chooser.setFiles({ name: "code", mimeType, buffer });
  }

  /** Presses Paste on Scan, with a text in the clipboard. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.page.getByRole("button", { name: this.words.scan.paste }).click();
  }

  /** Types into the field of Scan and goes on. */
  async type(text: string): Promise<void> {
    await this.page.getByRole("button", { name: this.words.scan.type }).click();
    await this.page.getByLabel(this.words.scan.typeLabel).fill(text);
    await this.page.getByRole("button", { name: this.words.scan.go }).click();
  }

  /** Opens Confirm for a code, as its link does. */
  async openCode(payload: string): Promise<void> {
    await this.open(`/p#${encodeURIComponent(payload)}`);
  }

  get payButton(): Locator {
    return this.page.locator("cupo-pay-button button:enabled");
  }

  /** Waits until Confirm can be paid; returns the fields that it shows. */
  async toConfirm(): Promise<ToConfirm> {
    await this.payButton.waitFor();
    const confirm = this.page.locator("cupo-confirm-page");
    const text = async (selector: string): Promise<string> => plain(await confirm.locator(selector).innerText());
    return {
      payee: await text(".who .payee"),
      amount: await text(".who .money"),
      checkCode: await text(".facts .code"),
      reference: (await text(".facts .reference")).replaceAll("-", ""),
    };
  }

  /** Presses Pay; returns the moment of the press. */
  async pay(): Promise<number> {
    await this.payButton.click();
    return performance.now();
  }

  /** Waits for the receipt; returns its title with the payee, its amount, and its facts such as the reference. */
  async receipt(): Promise<{ readonly title: string; readonly amount: string; readonly facts: string }> {
    const shown = this.page.locator("cupo-confirm-page .receipt");
    await shown.waitFor();
    return {
      title: plain(await shown.locator("h1").innerText()),
      amount: plain(await shown.locator(".money").innerText()),
      facts: plain(await shown.locator(".facts").innerText()),
    };
  }

  /** Waits for the alert of a failure, as Confirm or Scan shows it before there is anything to approve. */
  async isTold(failure: Failure): Promise<void> {
    const { failures, looking } = this.words;
    const { title } = failures[failure];
    const text = (looking as Partial<Record<Failure, string>>)[failure] ?? failures[failure].text;
    await this.page.getByRole("alert").filter({ hasText: title }).filter({ hasText: text }).waitFor();
  }

  /** The rows of History or Received, fresh from the broker, each as one line of text. */
  async movements(path: "/history" | "/received"): Promise<readonly string[]> {
    await this.open(path);
    const rows = this.page.locator("cupo-movement-list .row");
    await rows.first().waitFor();
    await this.page.getByRole("button", { name: this.words.common.refresh, disabled: false }).waitFor();
    return (await rows.allInnerTexts()).map(plain);
  }
}
