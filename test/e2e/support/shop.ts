import type { Browser, BrowserContext, Page } from "playwright-core";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { Product } from "./product.ts";
import { Watch } from "./watch.ts";

/** The fields that a person reads on the shop's payment card. */
export interface Shown {
  readonly payee: string;
  readonly amount: string;
  readonly checkCode: string;
  readonly secondsLeft: number;
  readonly appLink: string;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The demo shop's page in a browser context of its own, as a person before it reads it. */
export class Shop {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;

  private constructor(context: BrowserContext, page: Page, watch: Watch) {
    this.context = context;
    this.page = page;
    this.watch = watch;
  }

  /** Opens a new order and waits for its QR. */
  static async open(browser: Browser, { origin }: Pick<Product, "origin">): Promise<Shop> {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, locale: "es-CO" });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    const watch = await Watch.over(context, origin);
    const page = await context.newPage();
    await page.goto(`${origin}/demo/`);
    const shop = new Shop(context, page, watch);
    await shop.#plate.locator("svg").waitFor();
    return shop;
  }

  get #plate() {
    return this.page.locator("pay-qr [part~=plate]");
  }

  /** Returns the fields of the card. */
  async shown(): Promise<Shown> {
    const text = async (part: string): Promise<string> =>
      plain(await this.page.locator(`pay-qr [part~=${part}]`).innerText());
    const [minutes = 0, seconds = 0] = (await text("countdown")).split(":").map(Number);
    return {
      payee: plain(await this.page.locator("pay-qr [part~=payee] bdi").innerText()),
      amount: await text("amount"),
      checkCode: await text("check-code"),
      secondsLeft: minutes * 60 + seconds,
      appLink: (await this.page.locator("pay-qr a[part~=open]").getAttribute("href")) ?? "",
    };
  }

  /** The QR as it is on the screen. */
  qrImage(): Promise<Buffer> {
    return this.#plate.screenshot();
  }

  /** Returns the QR's payload, as the app link carries it. */
  async payload(): Promise<string> {
    return decodeURIComponent(new URL((await this.shown()).appLink).hash.slice(1));
  }

  /** Waits for the card to say that it is paid. */
  async untilPaid(): Promise<void> {
    await this.page.locator("pay-qr [part~=outcome].good").waitFor();
  }

  /** Waits until the shop's own server has confirmed the order. */
  async untilConfirmed(): Promise<void> {
    await this.page.getByText("Pago confirmado.").waitFor();
  }
}
