import type { BrowserContextOptions } from "playwright-core";
import type { Integrity } from "../../../../build/write-integrity.ts";
import type { ShopPage } from "./merchant-shop.ts";

/** The elements in the order in which pages show them. */
export const ELEMENTS = ["pay-qr", "recharge-form", "user-quota"] as const;
type ElementName = (typeof ELEMENTS)[number];

/** The broker from which a page loads the elements, their integrity, and the grant of its customer. */
export interface PagePlace {
  readonly broker: string;
  readonly integrity: Integrity;
  readonly grant: string;
}

/** A page that differs from the usual one, and the window that it is shown in. */
export interface StrictPage {
  readonly page: (place: PagePlace) => Partial<ShopPage>;
  readonly window?: BrowserContextOptions;
}

/** The script that records the elements' events; it must be loaded before them. */
export const HEARD = `<script src="/heard.js"></script>`;
/** A script of the shop's own that draws with its own Lit. */
export const FOREIGN_LIT_SCRIPT = `<script type="module" src="/foreign-lit.js"></script>`;
/** Where {@link FOREIGN_LIT_SCRIPT} draws. */
export const FOREIGN_LIT_PLACE = `<div id="foreign-lit"></div>`;

/** A file of the broker's, as a page loads it. */
export function scriptOf({ broker }: PagePlace, file: string, more = ""): string {
  return `<script type="module" src="${broker}/widgets/${file}" ${more}></script>`;
}

/** Returns the attributes with which a script is loaded so that no other bytes run. */
export function sealOf({ integrity }: PagePlace, name: ElementName): string {
  return `crossorigin integrity="${integrity.files[`${name}.js`]?.integrity}"`;
}

function singleFiles(place: PagePlace, folder = ""): string {
  return ELEMENTS.map((name) => scriptOf(place, `${folder}${name}.js`)).join("");
}

/** The three elements, each with its endpoint of the shop. */
export function elementsOf({ grant }: PagePlace, quota = `grant=${grant}`): string {
  return `<pay-qr session-url="/session/pay?order={order}"></pay-qr>
    <recharge-form session-url="/session/till" presets="10000 20000 50000"></recharge-form>
    <user-quota session-url="/session/quota?${quota}"></user-quota>`;
}

/** All three single files, and their elements. */
export function usualPage(place: PagePlace, changes: Partial<ShopPage> = {}): ShopPage {
  return { head: HEARD + singleFiles(place), body: elementsOf(place), ...changes };
}

/** Pages on which the elements must work, by their names in the tests. */
export const STRICT_PAGES = Object.freeze({
  "with all three single files": { page: () => ({}) },
  "with each file from its short and its versioned address": {
    page: (place) => ({ head: HEARD + singleFiles(place) + singleFiles(place, `${place.integrity.version}/`) }),
  },
  "with the file of all three, twice, and then the single ones": {
    page: (place) => {
      const both = ["", `${place.integrity.version}/`].map((folder) => scriptOf(place, `${folder}widgets.js`));
      return { head: HEARD + both.join("") + singleFiles(place) };
    },
  },
  "beside another Lit with a policy of its own": {
    page: (place) => ({
      head: HEARD + FOREIGN_LIT_SCRIPT + singleFiles(place),
      body: elementsOf(place) + FOREIGN_LIT_PLACE,
      policies: ["lit-html"],
    }),
  },
  "inside a closed shadow root, made before they are defined": {
    page: (place) => ({
      head: `${HEARD}<script src="/foreign-root.js"></script>${singleFiles(place)}`,
      body: `<shop-frame pay="?order={order}" till quota="?grant=${place.grant}"></shop-frame>`,
    }),
  },
  "read from right to left": { page: () => ({ root: `dir="rtl"` }) },
  "320 px wide": { page: () => ({}), window: { viewport: { width: 320, height: 900 } } },
  "in forced colours, dark": { page: () => ({}), window: { forcedColors: "active", colorScheme: "dark" } },
  "from scripts whose bytes integrity.json names": {
    page: (place) => {
      const folder = `${place.integrity.version}/`;
      return {
        head: HEARD + ELEMENTS.map((name) => scriptOf(place, `${folder}${name}.js`, sealOf(place, name))).join(""),
      };
    },
  },
} satisfies Record<string, StrictPage>) as Readonly<Record<string, StrictPage>>;
