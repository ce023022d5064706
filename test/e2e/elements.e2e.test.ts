import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { PayQrPhase } from "../../widgets/pay-qr/pay-qr-state.ts";
import type { RechargePhase } from "../../widgets/recharge-form/recharge-form-state.ts";
import type { UserQuotaPhase } from "../../widgets/user-quota/user-quota-state.ts";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import type { Showcase, ShownElement, Spoken } from "./support/showcase.ts";
import { overTheEdge } from "./support/visual/in-page.ts";
import { lostTexts, textLines } from "./support/visual/lost-content.ts";

/** The phases as the elements' own types have them: one that is added is a type error here until it is written. */
const PHASES = {
  "pay-qr": Object.keys({
    loading: true,
    awaiting: true,
    paid: true,
    expired: true,
    cancelled: true,
    failed: true,
  } satisfies Record<PayQrPhase, true>),
  "recharge-form": Object.keys({
    loading: true,
    find: true,
    amount: true,
    confirm: true,
    selling: true,
    unsure: true,
    receipt: true,
    rejected: true,
    failed: true,
  } satisfies Record<RechargePhase, true>),
  "user-quota": Object.keys({ loading: true, shown: true, refused: true, failed: true } satisfies Record<
    UserQuotaPhase,
    true
  >),
} satisfies Record<ShownElement, readonly string[]>;

const ELEMENTS = Object.keys(PHASES) as ShownElement[];

/** Matches a text in which a language lacks a word, or in which a number was not filled in. */
const MISSING = /undefined|null|NaN|Infinity|\[object|[a-z]_[a-z]|%/;

/** The scenes in which forced colours could hide something. */
const FORCED: readonly (readonly [ShownElement, string])[] = [
  ["pay-qr", "offline"],
  ["pay-qr", "paid"],
  ["recharge-form", "confirm-again"],
  ["recharge-form", "receipt"],
  ["user-quota", "masked"],
  ["user-quota", "offline"],
];

const fixture = aBrowserFixture();
let gallery: Showcase;

beforeAll(async () => {
  gallery = await fixture.gallery();
});

async function showAlone(element: ShownElement, state: string): Promise<void> {
  await gallery.show({ element, state, bare: "" });
}

/** Returns the faults of an element's texts in its languages, and of how they fit a page of 320 px. */
function faultsOfSpoken(spoken: readonly Spoken[]): readonly string[] {
  const counts = new Set(spoken.map(({ texts }) => texts.length));
  const said = new Set(spoken.map(({ texts }) => texts.join("\n")));
  return [
    ...(counts.size === 1 ? [] : [`not as many texts in each language: ${JSON.stringify(spoken)}`]),
    ...(said.size === spoken.length ? [] : [`two languages say the same: ${[...said]}`]),
    ...spoken.flatMap(({ texts }) => texts.filter((text) => MISSING.test(text))),
    ...spoken.flatMap(({ widths }) => widths.filter((width) => width > 320).map((width) => `${width} px wide`)),
    ...spoken.flatMap(({ split }) => split.map((amount) => `not on one line: ${amount}`)),
  ];
}

describe("the showcase has every element in every state", () => {
  it.for(ELEMENTS)("each phase of <%s> has a scene, and each state that style sheets may ask for", async (element) => {
    const scenes = await gallery.scenes();
    const shown = Object.values(scenes[element]).map(({ shows }) => shows.split(" "));
    const source = readFileSync(`widgets/${element}/${element}.ts`, "utf8");
    const documented = [...source.matchAll(/@cssstate (\S+)/g)].map(([, state]) => state);
    expect([...new Set(shown.map(([phase]) => phase))].sort()).toEqual([...PHASES[element]].sort());
    expect([...new Set(shown.flat())].sort()).toEqual(documented.sort());
  });

  it.for(ELEMENTS)(
    "axe finds nothing in any state of <%s>, light or dark, no language lacks a word, and 320 px are enough",
    async (element) => {
      const faults: string[] = [];
      for (const state of Object.keys((await gallery.scenes())[element])) {
        await showAlone(element, state);
        const found = [...(await gallery.faults()), ...faultsOfSpoken(await gallery.spoken())];
        faults.push(...found.map((fault) => `${state}: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );

  it.for(ELEMENTS)("nothing of <%s> is lost on a phone with letters of twice the size", async (element) => {
    const { page } = gallery;
    const faults: string[] = [];
    for (const state of Object.keys((await gallery.scenes())[element])) {
      await showAlone(element, state);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      const found = [...(await page.evaluate(overTheEdge)), ...lostTexts(await page.evaluate(textLines))];
      faults.push(...found.map((fault) => `${state}: ${fault}`));
      await page.setViewportSize({ width: 320, height: 700 });
    }
    expect(faults).toEqual([]);
  });

  it("on one page, all of them live, which fits 320 px too, and has no fault of its own", async () => {
    await gallery.show({});
    const scenes = await gallery.scenes();
    const count = ELEMENTS.flatMap((element) => Object.keys(scenes[element])).length;
    expect(await gallery.page.locator(ELEMENTS.join(", ")).count()).toBe(count);
    expect(await gallery.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await gallery.faults(ELEMENTS)).toEqual([]);
  });

  it("one alone with the theme, the language and the direction of the address", async () => {
    await gallery.show({ element: "pay-qr", state: "expired", theme: "dark", lang: "en", dir: "rtl" });
    const { page } = gallery;
    await page.getByRole("heading", { name: "<pay-qr> expired" }).waitFor();
    await page.getByText("The code has expired", { exact: true }).waitFor();
    const card = page.locator("pay-qr [part=card]");
    expect(await card.evaluate((shown) => getComputedStyle(shown).backgroundColor)).toBe("rgb(23, 33, 30)");
    expect(await card.evaluate((shown) => getComputedStyle(shown).direction)).toBe("rtl");
    expect(await gallery.faults()).toEqual([]);
    await page.getByRole("link", { name: "Light" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    expect(await card.evaluate((shown) => getComputedStyle(shown).backgroundColor)).toBe("rgb(255, 255, 255)");
  });

  it.for(["light", "dark"] as const)(
    "in forced colours, %s, where buttons have an edge, icons are seen, and the code stays black on white",
    async (colorScheme) => {
      const { page } = gallery;
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      for (const [element, state] of FORCED) {
        await showAlone(element, state);
        // The system's colours contrast, but axe compares a text colour that is not the painted one.
        expect(await gallery.faultsNow([], ["color-contrast"]), `${element} ${state}`).toEqual([]);
        const ground = await colourOf(element, "[part=card]", "backgroundColor");
        const buttons = await coloursOf(element, ".button", "borderTopColor");
        const labels = await coloursOf(element, ".button", "color");
        const seen = [...buttons, ...labels, ...(await coloursOf(element, ".icon", "stroke"))];
        expect(seen.length, `${element} ${state}`).toBeGreaterThan(0);
        expect(seen, `${element} ${state}`).not.toContain(ground);
      }
      await showAlone("pay-qr", "awaiting");
      expect(await colourOf("pay-qr", "[part=plate]", "backgroundColor")).toBe("rgb(255, 255, 255)");
      expect(await colourOf("pay-qr", "[part=qr] path", "fill")).toBe("rgb(0, 0, 0)");
      await page.emulateMedia({ forcedColors: null, colorScheme: null });
    },
  );
});

type ColourName = "color" | "backgroundColor" | "borderTopColor" | "stroke" | "fill";

function coloursOf(element: ShownElement, part: string, name: ColourName): Promise<readonly string[]> {
  return gallery.page
    .locator(`${element} ${part}`)
    .evaluateAll((parts, colour) => parts.map((each) => getComputedStyle(each)[colour]), name);
}

async function colourOf(element: ShownElement, part: string, name: ColourName): Promise<string> {
  const [colour] = await coloursOf(element, part, name);
  if (colour === undefined) throw new Error(`<${element}> has no ${part}`);
  return colour;
}
