import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { languages } from "../../../src/language/languages.ts";
import { WAIT_TIMEOUT_MS } from "./open-browser.ts";
import type { Product } from "./product.ts";
import { Watch } from "./watch.ts";

/** The elements of which the showcase has a scene for each state. */
export type ShownElement = "pay-qr" | "recharge-form" | "user-quota";

/** The scenes of each element by name; `shows` has the element's `:state()`s in a scene, separated by spaces. */
export type Scenes = Readonly<Record<ShownElement, Readonly<Record<string, { readonly shows: string }>>>>;

/** The query of the showcase's address. */
interface Asked {
  readonly element?: ShownElement;
  readonly state?: string;
  readonly theme?: "light" | "dark";
  readonly lang?: string;
  readonly dir?: "ltr" | "rtl";
  /** The element alone, without the page around it. */
  readonly bare?: "";
}

/** The texts of an element in one language, and how they fit the page in both directions. */
export interface Spoken {
  readonly texts: readonly string[];
  /** The widths of the page, right to left and left to right. */
  readonly widths: readonly number[];
  /** Amounts in large type that take more than a line, or more than their place. */
  readonly split: readonly string[];
}

interface ShowcaseWindow {
  readonly cupoStates: Scenes;
  readonly axe: { run(context: object, options: RunOptions): Promise<AxeResults> };
}

const ELEMENTS = "pay-qr, recharge-form, user-quota";

/** axe leaves the rule `target-size` of WCAG 2.2 AA off unless it is enabled. */
const RULES: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations"],
};

/** The showcase of the elements, `/demo/elements.html`, on the narrowest page there is. */
export class Showcase {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  readonly #origin: string;

  private constructor(context: BrowserContext, page: Page, watch: Watch, origin: string) {
    this.context = context;
    this.page = page;
    this.watch = watch;
    this.#origin = origin;
  }

  /** Opens it with every scene. */
  static async open(browser: Browser, { origin }: Pick<Product, "origin">): Promise<Showcase> {
    const context = await browser.newContext({ viewport: { width: 320, height: 700 }, reducedMotion: "reduce" });
    // Some fifty elements reach their states at once, on a machine that may be busy.
    context.setDefaultTimeout(3 * WAIT_TIMEOUT_MS);
    const watch = await Watch.over(context, origin);
    await context.addInitScript(axe.source);
    const gallery = new Showcase(context, await context.newPage(), watch, origin);
    await gallery.show({});
    return gallery;
  }

  /** Opens what is asked for, and waits until each element of it is in its state. */
  async show(asked: Asked): Promise<void> {
    await this.page.goto(`${this.#origin}/demo/elements.html?${new URLSearchParams({ ...asked })}`);
    await this.page.waitForFunction((elements) => {
      const shown = [...document.querySelectorAll<HTMLElement>(elements)];
      return shown.length > 0 && shown.every(({ dataset }) => "played" in dataset);
    }, ELEMENTS);
  }

  /** Every scene, from the page itself. */
  scenes(): Promise<Scenes> {
    return this.page.evaluate(() => (window as unknown as ShowcaseWindow).cupoStates);
  }

  /** Returns axe's violations in light and in dark, one line for each. */
  async faults(leftOut: readonly string[] = []): Promise<readonly string[]> {
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      found.push(...(await this.faultsNow(leftOut)).map((line) => `${colorScheme} ${line}`));
    }
    await this.page.emulateMedia({ colorScheme: null });
    return found;
  }

  /** Returns axe's violations of the page as it is now by all rules but `rulesOff`, one line for each. */
  async faultsNow(leftOut: readonly string[] = [], rulesOff: readonly string[] = []): Promise<readonly string[]> {
    const off = Object.fromEntries(rulesOff.map((rule) => [rule, { enabled: false }]));
    const { violations } = await this.page.evaluate(
      ({ context, rules }) => (window as unknown as ShowcaseWindow).axe.run(context, rules),
      { context: { exclude: [...leftOut] }, rules: { ...RULES, rules: { ...RULES.rules, ...off } } },
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  }

  /** Returns the texts of the one element in each of the languages, its `aria-label`s included. */
  async spoken(codes: readonly string[] = Object.keys(languages)): Promise<readonly Spoken[]> {
    return this.page.evaluate(
      async ({ elements, codes }) => {
        const shadow = document.querySelector(elements)?.shadowRoot;
        if (shadow == null) throw new Error("no element is shown");
        const root = document.documentElement;
        const textsOf = (): string[] => {
          const texts: string[] = [];
          const walker = document.createTreeWalker(shadow, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const isStyle = node.parentElement?.localName === "style";
            const text = node instanceof Element ? node.getAttribute("aria-label") : node.textContent;
            if (!isStyle && text?.trim()) texts.push(text.trim());
          }
          return texts;
        };
        const splitOf = (): string[] => {
          const isSplit = (amount: Element): boolean => {
            const range = document.createRange();
            range.selectNodeContents(amount);
            const pieces = [...range.getClientRects()].filter(({ width }) => width > 0);
            const place = amount.parentElement?.getBoundingClientRect() ?? new DOMRect();
            const lowestTop = Math.max(...pieces.map(({ top }) => top));
            const highestBottom = Math.min(...pieces.map(({ bottom }) => bottom));
            const isWithin = pieces.every(({ left, right }) => left > place.left - 1 && right < place.right + 1);
            return pieces.length === 0 || lowestTop >= highestBottom || !isWithin;
          };
          const amounts = [...shadow.querySelectorAll(".amount bdi")];
          return amounts.filter(isSplit).map(({ textContent }) => textContent ?? "");
        };
        const spoken: { texts: string[]; widths: number[]; split: string[] }[] = [];
        for (const lang of codes) {
          root.lang = lang;
          // One frame to notice the new language, one to draw it.
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          const widths = ["rtl", "ltr"].map((dir) => {
            root.dir = dir;
            return root.scrollWidth;
          });
          spoken.push({ texts: textsOf(), widths, split: splitOf() });
        }
        return spoken;
      },
      { elements: ELEMENTS, codes },
    );
  }
}
