import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { error, type WebDriver, type WebElement } from "selenium-webdriver";
import { type AppWords, appWords } from "./app-words.ts";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { PageProxy } from "./page-proxy.ts";

/**
 * Runs in the page: returns the elements of a selector that are shown, and inputs of files, in shadow roots too, with
 * that text or label. Parts of the selector are separated by `>>>`: each is looked for within the one before it.
 */
function deepFind(path: string, text: string): Element[] {
  const says = (element: Element): boolean => {
    const said = element.getAttribute("aria-label") ?? (element instanceof HTMLElement ? element.innerText : "");
    const isShown = element.checkVisibility() || element.matches("[type=file]");
    return said.replace(/\s+/g, " ").includes(text) && isShown;
  };
  const look = (root: ParentNode, [selector = "*", ...within]: readonly string[]): Element[] =>
    [...root.querySelectorAll("*")].flatMap((element) => {
      const isLast = within.length === 0;
      const isIt = element.matches(selector);
      return [
        ...(isIt && isLast && says(element) ? [element] : []),
        ...(isIt && !isLast ? look(element.shadowRoot ?? element, within) : []),
        ...(element.shadowRoot === null ? [] : look(element.shadowRoot, [selector, ...within])),
      ];
    });
  return [...new Set(look(document, path.split(" >>> ")))];
}

/** Returns no elements for a look at a page that changed meanwhile, in WebKit's words; throws any other error. */
function noneWhilePageChanges(failure: unknown): readonly WebElement[] {
  if (failure instanceof Error && failure.message === "Could not parse script result") return [];
  throw failure;
}

/** Returns false for an element that was drawn anew before it could be pressed; throws any other error. */
function notWhileDrawnAnew(failure: unknown): boolean {
  if (failure instanceof error.StaleElementReferenceError) return false;
  throw failure;
}

const PAY = "cupo-pay-button >>> button:enabled";

/** WebKitGTK draws by the processor, which other test files use too. */
const PATIENCE_MS = 3 * WAIT_TIMEOUT_MS;

/** A page stands still if so many looks, each so long after the one before, see the same. */
const [STILL_TIMES, STILL_EVERY_MS] = [3, 250];

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
  static async take(driver: WebDriver, { origin }: Pick<PageProxy, "origin">): Promise<WebKitPhone> {
    return new WebKitPhone(driver, await appWords("en"), origin);
  }

  /** Opens an address. */
  async open(path: string): Promise<void> {
    await this.driver.get(new URL(path, this.#origin).href);
  }

  /** Opens an address whose page frames another, and goes on in that. */
  async openFrame(address: string): Promise<void> {
    await this.driver.get(address);
    await this.driver.switchTo().frame(await this.find("iframe"));
  }

  /** Loads the page again. */
  async reload(): Promise<void> {
    await this.driver.navigate().refresh();
  }

  /** Returns the elements of a selector that are shown now, in shadow roots too. */
  all(selector: string, text = ""): Promise<readonly WebElement[]> {
    return this.driver.executeScript(deepFind, selector, text);
  }

  /** Waits for an element, in shadow roots too. */
  async find(selector: string, text = ""): Promise<WebElement> {
    let found: WebElement | undefined;
    const look = async (): Promise<boolean> => {
      [found] = await this.all(selector, text).catch(noneWhilePageChanges);
      return found !== undefined;
    };
    await this.driver.wait(look, PATIENCE_MS, `no ${selector} with "${text}"`);
    return found as WebElement;
  }

  /** Clicks an element as a mouse does, in the middle of the page, where no bar covers it. */
  async click(selector: string, text = ""): Promise<void> {
    const press = async (): Promise<boolean> => {
      const element = await this.find(selector, text);
      await this.driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
      await element.click();
      return true;
    };
    const isPressed = () => press().catch(notWhileDrawnAnew);
    await this.driver.wait(isPressed, PATIENCE_MS, `${selector} with "${text}" was drawn anew each time`);
  }

  /** Types into a field, in place of what it holds. */
  async type(selector: string, text: string): Promise<void> {
    const field = await this.find(selector);
    await field.clear();
    await field.sendKeys(text);
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

  /** Waits until a function is true in the page. */
  async until<Values extends unknown[]>(script: (...values: Values) => boolean, ...values: Values): Promise<void> {
    await this.driver.wait(() => this.run(script, ...values), PATIENCE_MS, String(script));
  }

  /** Waits until a function returns the same in the page for a while, and not undefined; returns that. */
  async untilStill<Answer>(script: () => Answer): Promise<Answer> {
    let [before, times] = ["", 0];
    const isStill = async (): Promise<boolean> => {
      const now = JSON.stringify(await this.run(script)) ?? "";
      times = now !== "" && now === before ? times + 1 : 0;
      before = now;
      return times >= STILL_TIMES;
    };
    await this.driver.wait(isStill, PATIENCE_MS, String(script), STILL_EVERY_MS);
    return JSON.parse(before) as Answer;
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

  /** Chooses an image file on Scan. */
  async chooseImage(image: Buffer): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "cupo-e2e-image-"));
    try {
      const path = join(folder, "code.png");
      writeFileSync(path, image);
      await (await this.find("cupo-scan-page >>> [type=file]")).sendKeys(path);
      await this.find(PAY);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
