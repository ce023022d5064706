import { chromium } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../support/chromium.ts";
import { StubBroker } from "../support/stub-broker.ts";

/** A page's script that shows one payment, from the package. */
export const STRICT_SCRIPT = `
  import "cupo/pay-qr";
  window.seen = [];
  addEventListener("error", ({ message }) => window.seen.push(message));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, sample }) =>
    window.seen.push(violatedDirective + " " + sample));
  for (const type of ["pay-ready", "pay-error"]) document.addEventListener(type, () => window.seen.push(type));
  const element = document.createElement("pay-qr");
  element.broker = location.origin;
  element.setAttribute("session-url", "/shop/order-1042");
  document.body.append(element);
`;

const PAGE = `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Tienda</title>
<script type="module" src="/page.js"></script></head><body></body></html>`;

/** The policy that a careful page sends, with the Trusted Types policy that Lit makes where it comes from npm. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";

/** Shows a built script in Chromium under a strict policy; answers what {@link STRICT_SCRIPT} saw by its code. */
export async function seenOnStrictPage(code: string): Promise<readonly string[]> {
  const headers = { "Content-Security-Policy": POLICY };
  const stub = new StubBroker({
    "/page.html": async () => ({ type: "text/html; charset=utf-8", body: PAGE, headers }),
    "/page.js": async () => ({ type: "text/javascript", body: code }),
    "/favicon.ico": async () => ({ type: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>" }),
  });
  const origin = await stub.listen();
  await fetch(`${origin}/stub/order-1042`, { method: "POST", body: "{}" });
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/page.html`);
    await page.locator("pay-qr [part=qr] path").waitFor({ state: "attached", timeout: 15_000 });
    return (await page.evaluate("window.seen")) as string[];
  } finally {
    await browser.close();
    await stub.close();
  }
}
