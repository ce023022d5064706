import { expect, it } from "vitest";
import { browserLabel } from "./browser-label.ts";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0 Safari/537.36 Edg/130.0`, "Edge, Windows"],
  [
    `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0 Safari/537.36`,
    "Samsung Internet, Android",
  ],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile Safari/604.1`, "Safari, iOS"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`, "Safari, macOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/130.0 Safari/537.36", "Chrome, ChromeOS"],
  ["curl/8.5", undefined],
])("a session is told apart by what the browser calls itself: %s", (agent, label) => {
  expect(browserLabel(new Headers({ "user-agent": agent }))).toBe(label);
});

it("prefers the brands that a browser lists, and passes no word of a header that is not known", () => {
  const brands = { "sec-ch-ua": '"Chromium";v="130", "Brave";v="130"', "sec-ch-ua-platform": '"<b>Evil</b>"' };
  expect(browserLabel(new Headers({ ...brands, "user-agent": "Mozilla/5.0 Chrome/130.0" }))).toBe("Brave");
});
