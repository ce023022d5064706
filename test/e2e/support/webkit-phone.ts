import type { WebDriver, WebElement } from "selenium-webdriver";
import { type AppWords, appWords } from "./app-words.ts";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { Product } from "./product.ts";

/**
 * Runs in the page: returns the first shown element of a selector, in shadow roots too, with that text or label. Parts
 * of the selector are separated by `>>>`: each is looked for within the one before it.
 */
function deepFind(path: string, text: string): Element | null {
  const says = (element: Element): boolean => {
    const said = element.getAttribute("aria-label") ?? (element instanceof HTMLElement ? element.innerText : "");
    return said.replace(/\s+/g, " ").includes(text) && element.checkVisibility();
  };
  const look = (root: ParentNode, [selector = "*", ...within]: readonly string[]): Element | null => {
    for (const element of root.querySelectorAll("*")) {
      const isLast = within.length === 0;
      if (element.matches(selector) && isLast && says(element)) return element;
      const inside = element.matches(selector) && !isLast ? look(element.shadowRoot ?? element, within) : null;
      const below = inside ?? (element.shadowRoot && look(element.shadowRoot, [selector, ...within]));
      if (below !== null) return below;
    }
    return null;
  };
  return look(document, path.split(" >>> "));
}

/** Runs in the page: keeps a list of its errors and of violations of its policy. */
function watchFaults(): void {
  const faults: string[] = [];
  Object.assign(globalThis, { faults });
  addEventListener("error", ({ message }) => faults.push(message));
  addEventListener("unhandledrejection", ({ reason }) => faults.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    faults.push(`violation of ${effectiveDirective}: ${blockedURI}`);
  });
}

const PAY = "cupo-pay-button >>> button:enabled";

/** The app in a WebKit that WebDriver drives; its methods are the actions of the person before it. */
export class WebKitPhone {
  readonly driver: WebDriver;
  readonly words: AppWords;
  readonly #origin: string;

  private constructor(driver: WebDriver, words: AppWords, origin: string) {
    this.driver = driver;
    this.words = words;
    this.#origin = origin;
  }

  /** Takes one whose browser speaks English; nobody is signed in. */
  static async take(driver: WebDriver, { origin }: Pick<Product, "origin">): Promise<WebKitPhone> {
    return new WebKitPhone(driver, await appWords("en"), origin);
  }

  /** Opens an address, and watches the page for faults from then on. */
  async open(path: string): Promise<void> {
    await this.driver.get(`${this.#origin}${path}`);
    await this.driver.executeScript(watchFaults);
  }

  /** Waits for an element, in shadow roots too. */
  find(selector: string, text = ""): Promise<WebElement> {
    const look = (): Promise<WebElement | null> => this.driver.executeScript(deepFind, selector, text);
    const message = `no ${selector} with "${text}"`;
    return this.driver.wait(look, WAIT_TIMEOUT_MS, message) as unknown as Promise<WebElement>;
  }

  /** Clicks an element as a mouse does. */
  async click(selector: string, text = ""): Promise<void> {
    await (await this.find(selector, text)).click();
  }

  /** Returns the text of an element. */
  async text(selector: string, text = ""): Promise<string> {
    const element = await this.find(selector, text);
    const shown: unknown = await this.driver.executeScript("return arguments[0].innerText", element);
    return String(shown).replace(/\s+/g, " ").trim();
  }

  /** Runs a function in the page. */
  async run<Values extends unknown[], Answer>(script: (...values: Values) => Answer, ...values: Values) {
    return (await this.driver.executeScript(script, ...values)) as Awaited<Answer>;
  }

  /** Returns the faults of the page since it was opened. */
  async faults(): Promise<readonly string[]> {
    return this.run(() => (globalThis as unknown as { faults: string[] }).faults);
  }

  /** Opens Home, signed in as the demo's payer. */
  async signInAsPayer(): Promise<void> {
    await this.open("/");
    await this.click("button", this.words.welcome.continueAs("Ana"));
    await this.find("cupo-home-page >>> .quota[aria-busy=false]");
  }

  /** Opens Scan from the tab bar. */
  async openScan(): Promise<void> {
    await this.click("a", this.words.tabs.scan);
    await this.find("h1", this.words.scan.title);
  }

  /** Waits until Confirm can be paid; returns the reference of what is to be paid. */
  async toConfirm(): Promise<string> {
    await this.find(PAY);
    return (await this.text("cupo-confirm-page >>> .facts .reference")).replaceAll("-", "");
  }

  /** Presses Pay, and waits for the receipt; returns its title. */
  async pay(): Promise<string> {
    await this.click(PAY);
    return this.text("cupo-confirm-page >>> .receipt h1");
  }
}
