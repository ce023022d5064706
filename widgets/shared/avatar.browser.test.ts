import { html, render } from "lit";
import { AVATAR_HUES, hueOf } from "../../src/avatar.ts";
import { avatar, avatarStyles } from "./avatar.ts";
import { expectEqual, expectTrue } from "./browser-test.ts";

/** The red, green and blue of a colour as the screen shows it, 0 to 255. */
function shownColour(colour: string): readonly number[] {
  const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (paper === null) throw new Error("no canvas");
  paper.fillStyle = colour;
  paper.fillRect(0, 0, 1, 1);
  return [...paper.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = shownColour(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** One avatar for each tint, on a ground of a scheme. */
function avatarsIn(scheme: "light" | "dark"): readonly HTMLElement[] {
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
  (root.host as HTMLElement).style.colorScheme = scheme;
  const names = Array.from({ length: 200 }, (_, index) => `Tienda ${index}`);
  const one = AVATAR_HUES.map((hue) => names.find((name) => hueOf(name) === hue));
  render(html`<style>${avatarStyles}</style>${one.map((name) => avatar(name))}`, root);
  return [...root.querySelectorAll<HTMLElement>(".avatar")];
}

describe("an avatar", () => {
  for (const scheme of ["light", "dark"] as const) {
    it(`has a letter that is read on each tint, and tints that differ, in ${scheme}`, () => {
      const grounds = avatarsIn(scheme).map((shown) => {
        const { backgroundColor, color } = getComputedStyle(shown);
        const [dim = 0, bright = 0] = [luminance(backgroundColor), luminance(color)].toSorted((one, two) => one - two);
        const contrast = (bright + 0.05) / (dim + 0.05);
        expectTrue(contrast >= 4.5, `${backgroundColor} ${color} ${contrast}`);
        return shownColour(backgroundColor).join();
      });
      expectEqual(new Set(grounds).size, AVATAR_HUES.length);
    });
  }

  it("has no letter and no tint while the name is unknown", () => {
    const place = document.body.appendChild(document.createElement("div"));
    render(avatar(undefined), place);
    const [shown] = place.children;
    expectEqual([shown?.textContent, shown?.getAttribute("style") ?? ""], ["", ""]);
  });
});
