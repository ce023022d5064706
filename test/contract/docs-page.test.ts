import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import { MerchantEventType } from "../../src/contract/broker/merchant-events.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { EVENT_TYPES } from "../../src/contract/service/webhooks.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../support/chromium.ts";
import { aListeningBroker, type ListeningBroker } from "../support/listening-broker.ts";
import { aListeningService, type ListeningService } from "../support/listening-service.ts";
import type { TestEntity } from "../support/service.ts";

const TYPES_TOLD = MerchantEventType.options.length;
const ROWS: readonly Operation[] = Object.values(serviceContract);

let service: ListeningService;
let fintech: TestEntity;
let browser: Browser;

beforeAll(async () => {
  service = await aListeningService();
  fintech = await service.anEntity();
  browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Opens the page, and collects its faults: console errors and warnings, failed requests, and requests elsewhere. */
async function openDocs(origin = service.baseUrl): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== "data:") faults.push(`foreign: ${request.url()}`);
  });
  await page.goto(`${origin}/docs`);
  await page.locator(".opblock").first().waitFor();
  return { page, faults };
}

/** Signs the page in by its own form, with the client's credentials. */
async function authorize(page: Page): Promise<void> {
  await page.locator(".auth-wrapper .authorize").first().click();
  const form = page.locator(".modal-ux");
  await form.locator("input[id^=client_id]").fill(fintech.clientId);
  await form.locator("input[id^=client_secret]").fill(fintech.clientSecret);
  await form.locator("button.authorize").click();
  await form.getByText("Logout").waitFor();
  await form.locator(".btn-done").click();
}

/** The id of an operation's place on the page. */
function placeOf({ name, tag }: Pick<Operation, "name" | "tag">): string {
  return `operations-${tag.replaceAll(" ", "_")}-${name}`;
}

async function open(page: Page, row: Operation): Promise<Locator> {
  const operation = page.locator(`#${placeOf(row)}`);
  await operation.locator(".opblock-summary-control").click();
  await operation.locator(".opblock-body .responses-wrapper").waitFor();
  return operation;
}

describe("/docs", () => {
  it.each(["light", "dark"] as const)(
    "fits a phone without scrolling sideways, and is %s where its reader is",
    async (scheme) => {
      const { page, faults } = await openDocs();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: scheme });
      const seen = () =>
        page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.className.includes("dark"),
        ]);
      await expect.poll(seen).toEqual([390, scheme === "dark"]);
      const ground = () =>
        page.evaluate(() =>
          ["html", "body", ".swagger-ui"].map((place) => {
            const element = document.querySelector(place);
            return element && getComputedStyle(element).backgroundColor;
          }),
        );
      const paper = scheme === "dark" ? "rgb(14, 21, 19)" : "rgb(247, 246, 242)";
      await expect.poll(ground).toEqual([paper, "rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it("shows the operations before the guide to them, to which a link leads", async () => {
    const { page, faults } = await openDocs();
    expect(await page.title()).toBe("Cupo service: reference");
    const [link, operation, guide] = [".info a[href='#guide']", ".opblock >> nth=0", "#guide h2 >> nth=0"];
    const heights = [];
    for (const place of [link, operation, guide]) heights.push((await page.locator(place).boundingBox())?.y ?? 0);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    expect(heights[1]).toBeLessThan(1_000);
    await page.locator(link).click();
    await expect.poll(async () => (await page.locator(guide).boundingBox())?.y).toBeLessThan(1_000);
    expect(await page.locator("#guide").innerText()).toContain("Errors by code");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows every operation with its errors and answers, and asks nothing of anyone else", async () => {
    const { page, faults } = await openDocs();
    expect(await page.locator(".opblock").count()).toBe(ROWS.length + 1 + EVENT_TYPES.length);
    for (const { name, tag } of ROWS) expect(await page.locator(`#${placeOf({ name, tag })}`).count(), name).toBe(1);
    for (const row of [serviceContract.createTransaction, serviceContract.getAccountingReport]) {
      const operation = await open(page, row);
      for (const code of errorsOf(row)) expect(await operation.getByText(code, { exact: true }).count()).not.toBe(0);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows every event's message with its headers, and what a receiver answers, but sends none", async () => {
    const { page, faults } = await openDocs();
    expect(await page.locator(".webhooks .opblock").count()).toBe(EVENT_TYPES.length);
    const message = page.locator(".webhooks #operations-webhooks-creditWrittenOff");
    await message.locator(".opblock-summary-control").click();
    await message.locator(".responses-wrapper").waitFor();
    for (const text of ["webhook-id", "webhook-timestamp", "webhook-signature", "written_off_principal", "2XX", "410"])
      expect(await message.getByText(text).count(), text).not.toBe(0);
    expect(await message.getByRole("button", { name: "Try it out" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("gets a token and calls an operation from the page, with the example that it shows", async () => {
    const { page, faults } = await openDocs();
    await authorize(page);
    const operation = await open(page, serviceContract.createUser);
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const status = operation.locator(".live-responses-table .response-col_status").nth(1);
    await status.waitFor();
    expect(await status.innerText()).toMatch(/^201/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each(["", "/page.js", "/page.css", "/swagger-ui-bundle.js", "/swagger-ui.css", "/mark.svg"])(
    "serves /docs%s for a while, unchanged by its tag, and lets it load nothing foreign or inline",
    async (path) => {
      const address = `${service.baseUrl}/docs${path}`;
      const response = await fetch(address);
      const { headers } = response;
      expect(response.status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=300");
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      const again = await fetch(address, { headers: { "if-none-match": headers.get("etag") ?? "" } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    },
  );
});

describe("the broker's /docs", () => {
  let broker: ListeningBroker;
  beforeAll(async () => {
    broker = await aListeningBroker();
  });
  afterAll(() => broker.stop());

  it("shows the operations and events of merchants' backends, and asks nobody for a key", async () => {
    const { page, faults } = await openDocs(broker.baseUrl);
    expect(await page.title()).toBe("Cupo for merchants: reference");
    expect(await page.locator(".opblock").count()).toBe(Object.keys(merchantContract).length + TYPES_TOLD);
    const operation = await open(page, merchantContract.createSession);
    for (const code of errorsOf(merchantContract.createSession)) {
      expect(await operation.getByText(code, { exact: true }).count(), code).not.toBe(0);
    }
    expect(await operation.innerText()).toContain('"order": "1043"');
    expect(await page.locator(".authorize, .authorization__btn").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Try it out" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("takes no address of another document from its own address, and leaves other paths as they were", async () => {
    const elsewhere = encodeURIComponent("https://evil.example/openapi.json");
    const { page, faults } = await openDocs(broker.baseUrl);
    await page.goto(`${broker.baseUrl}/docs?url=${elsewhere}&configUrl=${elsewhere}`);
    await page.locator(".opblock").first().waitFor();
    expect([await page.title(), faults]).toEqual(["Cupo for merchants: reference", []]);
    await page.close();
    for (const path of ["/docs/nothing.js", "/v1/nothing", "/nothing"]) {
      const response = await fetch(`${broker.baseUrl}${path}`);
      expect([path, response.status]).toEqual([path, 404]);
    }
  });
});
