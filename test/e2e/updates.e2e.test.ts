import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { aBrowserFixture } from "./support/browser-fixture.ts";
import { picture, WAIT_TIMEOUT_MS } from "./support/open-browser.ts";
import { Phone } from "./support/phone.ts";

const WORKER = "/sw.js";

const fixture = aBrowserFixture();
/** The origin that serves the app with the service worker of the current version. */
let origin: string;
/** The code that the next version's worker has at its end. */
let addition = "";

/** Forwards every call to the product, but answers the worker's script, which the browser's tools cannot intercept. */
async function serveVersions(): Promise<string> {
  const { origin: product, place } = fixture.product;
  const server = createServer((call, answer) => {
    if (call.url === WORKER) {
      const script = fetch(`${product}${WORKER}`).then((response) => response.text());
      void script.then((text) => answer.setHeader("content-type", "text/javascript").end(`${text}${addition}`));
      return;
    }
    const { method, url: path, headers } = call;
    const onward = request({ host: "localhost", port: place.port, method, path, headers }, (answered) => {
      answered.pipe(answer.writeHead(answered.statusCode ?? 502, answered.headers));
    });
    onward.on("error", () => call.socket.destroy());
    answer.on("close", () => onward.destroy());
    call.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  fixture.atEnd(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  origin = await serveVersions();
});

/** Asks the worker that serves the page for its version; the first version does not answer. */
function servedBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise<string>((done) => {
      port1.onmessage = ({ data }) => done(String(data));
      setTimeout(() => done("the first"), 300);
    });
    navigator.serviceWorker.controller?.postMessage("VERSION", [port2]);
    return answered;
  });
}

it("a newer version is fetched during a payment, offered after it, and comes when it is accepted", async () => {
  const ana = await Phone.take(fixture.browser, { origin });
  const { page, watch, words } = ana;
  const { reference, payload } = await fixture.api.makeQr();
  // The session's cookie is sent to every port of the host, and the app at this origin starts with it.
  await ana.context.request.get(fixture.product.demo.users.payer.sign_in_url);
  await ana.signInBy(`${origin}/#signed-in`);
  await ana.untilKept();
  await ana.openCode(payload);
  await ana.toConfirm();
  await page.evaluate(() => Object.assign(globalThis, { sameLoad: true }));
  addition = `
    self.addEventListener("message", ({ data, ports }) => data === "VERSION" && ports[0].postMessage("next"));`;
  const offer = page.getByRole("status").filter({ hasText: words.update.text });
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    // As when the person comes back to the app, which asks for a newer version then.
    document.dispatchEvent(new Event("visibilitychange"));
    while (registration.waiting === null) await new Promise((done) => setTimeout(done, 20));
  });
  expect(await servedBy(page)).toBe("the first");
  expect(await offer.count()).toBe(0);
  await ana.pay();
  await ana.receipt();
  expect(await offer.count()).toBe(0);
  await page.getByRole("button", { name: words.common.done }).click();
  await offer.waitFor();
  await picture(page, "70-update");
  expect(await servedBy(page)).toBe("the first");
  expect(await page.evaluate(() => "sameLoad" in globalThis)).toBe(true);
  const loaded = page.waitForEvent("load", { timeout: WAIT_TIMEOUT_MS });
  await offer.getByRole("button", { name: words.update.accept }).click();
  await loaded;
  await page.locator("cupo-home-page .quota[aria-busy=false]").waitFor();
  expect(await servedBy(page)).toBe("next");
  expect(await offer.count()).toBe(0);
  expect(await fixture.api.approvedOf(reference)).toBe(1);

  // A version that is found while the app still starts is offered too.
  addition = addition.replace("next", "third");
  await page.reload();
  await offer.waitFor();
  expect(await servedBy(page)).toBe("next");
  expect(watch.takeFaults()).toEqual([]);
  await ana.context.close();
});
