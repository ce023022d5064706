import { readFileSync, writeFileSync } from "node:fs";
import type { Browser } from "playwright-core";

/** The icons of the manifest's shortcuts, as in the tab bar, by the names of their files. */
const SIGNS = Object.freeze({ scan: "scan-line", receive: "qr-code", history: "rotate-ccw-clock" });
/** The size in pixels that Android asks for, and twice that. */
const SIZES = Object.freeze([96, 192]);
/** The background of the brand's mark, in every theme. */
const GROUND = "#0b6e5f";

function drawing(sign: string, size: number): string {
  const lines = readFileSync(`node_modules/lucide-static/icons/${sign}.svg`, "utf8")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/(?:width|height|class)="[^"]*"\s*/g, "")
    .replace("currentColor", "#fff")
    .replace("<svg", '<svg x="24" y="24" width="48" height="48"');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 96 96">
    <rect width="96" height="96" rx="22" fill="${GROUND}"/>${lines}</svg>`;
}

/** Draws the icons of the manifest's shortcuts: the tab bar's icons, white on the background of the brand's mark. */
export async function drawShortcuts(browser: Browser, folder: string): Promise<void> {
  const page = await browser.newPage();
  for (const [name, sign] of Object.entries(SIGNS)) {
    for (const size of SIZES) {
      await page.setViewportSize({ width: size, height: size });
      await page.setContent(`<body style="margin:0">${drawing(sign, size)}`);
      writeFileSync(`${folder}/${name}-${size}.png`, await page.screenshot({ omitBackground: true }));
    }
  }
  await page.close();
}
