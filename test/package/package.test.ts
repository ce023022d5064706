import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { v7 } from "uuid";
import { createBuilder } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { elementsOf } from "../../build/package/describe-elements.ts";
import { elementNames, packageEntries } from "../../build/package/package-entries.ts";
import { listen } from "../../server/http/listen.ts";
import { aBroker, SHOP_ORIGIN } from "../support/broker.ts";
import { aListeningService } from "../support/listening-service.ts";
import { aMerchantWebhookFixture } from "../support/merchant-webhook-fixture.ts";
import { silentLog } from "../support/silent-log.ts";
import { aWebhookFixture, untilDelivered } from "../support/webhook-fixture.ts";
import type { Received } from "../support/webhook-receiver.ts";
import { aConsumer, type Consumer, ROOT } from "./install-package.ts";
import { STRICT_SCRIPT, seenOnStrictPage } from "./strict-page.ts";
import { BACKEND, PAGE, reactApp } from "./typed-consumers.ts";

const SETUP_TIMEOUT_MS = 120_000;
const NAMES = elementNames();

let consumer: Consumer;
beforeAll(async () => {
  consumer = await aConsumer();
}, SETUP_TIMEOUT_MS);
afterAll(() => consumer?.remove());

const manifestOf = async () => JSON.parse(await consumer.read("package.json"));
const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** Lists the packages that the published scripts or declarations import. */
async function packagesIn(ending: RegExp): Promise<string[]> {
  const texts = await Promise.all(consumer.files.filter((file) => ending.test(file)).map(consumer.read));
  const specifiers = texts.flatMap((text) => [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([a-z@][^"\s]*)"/g)]);
  return [...new Set(specifiers.map(([, specifier = ""]) => packageOf(specifier)))].sort();
}

describe("the packed package", () => {
  it("has an entry for each element, as it defines itself and as a class alone", async () => {
    const { exports } = await manifestOf();
    expect(exports).toEqual(packageEntries());
    const targets = Object.values(exports as Record<string, string | Record<string, string>>).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    expect(targets.filter((target) => !consumer.files.includes(target.slice(2)))).toEqual([]);
  });

  it("holds built scripts, their declarations and descriptions, and nothing else", () => {
    const texts = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    const built = /^dist\/package\/(?:(?:src|widgets)\/.+|react)\.(?:js|d\.ts)$/;
    const described = /^dist\/package\/(?:custom-elements|vscode\.(?:html|css)-custom-data)\.json$/;
    const others = consumer.files.filter((file) => !texts.includes(file) && !built.test(file) && !described.test(file));
    expect(others).toEqual([]);
    expect(consumer.files).toEqual(expect.arrayContaining(texts));
    expect(consumer.files.filter((file) => /test|harness|manual|server|\bdemo\b/.test(file))).toEqual([]);
  });

  it("names no place of the machine that built it, and no secret", async () => {
    const texts = await Promise.all(consumer.files.filter((file) => file.startsWith("dist/")).map(consumer.read));
    const suspicious = /\bprocess\.env\b|PRIVATE KEY|\b(?:sk|ws|whsec)_[A-Za-z0-9+/]{12,}/;
    expect(texts.filter((text) => suspicious.test(text) || text.includes(ROOT))).toEqual([]);
  });

  it("depends on what it imports, and on nothing else", async () => {
    const { dependencies, peerDependencies } = await manifestOf();
    expect(await packagesIn(/\.js$/)).toEqual(Object.keys(dependencies).sort());
    expect(await packagesIn(/\.d\.ts$/)).toEqual(["lit", "react", "valibot"]);
    expect(Object.keys(peerDependencies)).toEqual(["@types/react"]);
  });

  it("leaves publint nothing to say", async () => {
    const { messages } = await publint({ pkgDir: consumer.packageFolder, pack: false, strict: true });
    const json = await manifestOf();
    expect(messages.map((message) => formatMessage(message, json))).toEqual([]);
  });

  it("is not published by accident", async () => {
    const { scripts, private: kept } = await manifestOf();
    expect(kept).toBeUndefined();
    expect(scripts.prepublishOnly).toContain("CUPO_RELEASE");
  });
});

describe("in plain Node", () => {
  it("every entry can be imported, and an element's class without its definition", async () => {
    const printed = await consumer.runModule(`
      const seen = {};
      for (const name of ${JSON.stringify(NAMES)}) {
        const exported = Object.keys(await import("cupo/" + name + "/element"));
        const early = customElements.get(name) !== undefined;
        await import("cupo/" + name);
        seen[name] = { exported, early, defined: customElements.get(name) !== undefined };
      }
      const widgets = Object.keys(await import("cupo/widgets"));
      const data = (await import("cupo/custom-elements.json", { with: { type: "json" } })).default;
      await import("cupo/react");
      console.log(JSON.stringify({ seen, widgets, schema: data.schemaVersion }));
    `);
    const { seen, widgets, schema } = JSON.parse(printed);
    for (const name of NAMES) {
      const className = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      expect(seen[name]).toEqual({ exported: [className], early: false, defined: true });
      expect(widgets).toContain(className);
    }
    expect(schema).toBe("1.0.0");
  });

  it("cupo/client makes a user and a payment at the real service, once, and reads them back", async () => {
    const service = await aListeningService();
    try {
      const { clientId, clientSecret } = await service.anEntity();
      const printed = await consumer.runModule(
        `
        import { ApiError, createCupoClient } from "cupo/client";
        const [baseUrl, clientId, clientSecret] = process.argv.slice(2);
        const cupo = createCupoClient({ baseUrl, clientId, clientSecret });
        const person = (name, nit, phone) => cupo.createUser({ body: { name, nit, phone, quota: 50000 } });
        const ana = (await person("Ana", "1020304050", "+573001234567")).body;
        const shop = (await person("Shop", "900123456", "+573109876543")).body;
        const body = { amount: 25000.5, from_user_id: ana.id, to_user_id: shop.id };
        const paid = await cupo.createTransaction({ body }, { idempotencyKey: "order-1042" });
        const again = await cupo.createTransaction({ body }, { idempotencyKey: "order-1042" });
        const read = (await cupo.transaction({ query: { id: paid.body.id } })).body;
        const error = await cupo.user({ query: { nit: "1" } }).catch((thrown) => thrown);
        const same = again.body.id === paid.body.id && again.replayed;
        console.log(JSON.stringify([read.status, read.amount, same, error instanceof ApiError && error.code]));
        `,
        ...[service.baseUrl, clientId, clientSecret],
      );
      expect(JSON.parse(printed)).toEqual(["approved", 25_000.5, true, "user_not_found"]);
    } finally {
      await service.stop();
    }
  });
});

/** Verifies a message, and the same message with another letter, in a receiver that uses the package. */
async function verify(message: Received & { readonly secret: string; readonly now: number }) {
  const printed = await consumer.runModule(
    `
    import { verifyWebhook, WebhookError } from "cupo/webhooks";
    const { body, headers, secret, now } = JSON.parse(process.argv[2]);
    const event = verifyWebhook({ body, headers, secrets: ["whsec_b2xk", secret], now: () => now });
    if (event.id !== headers["webhook-id"]) throw new Error("another id");
    let changed;
    try {
      verifyWebhook({ body: body.replace("type", "tipe"), headers, secrets: secret, now: () => now });
    } catch (error) {
      changed = error instanceof WebhookError && error.code;
    }
    console.log(JSON.stringify({ ...event, changed }));
    `,
    JSON.stringify(message),
  );
  return JSON.parse(printed);
}

describe("in plain Node, on the broker and on the webhooks of the service", () => {
  it("cupo/client starts a merchant's session, the same one for the same order, and cancels it", async () => {
    const broker = await aBroker();
    const newRequestId = () => v7();
    const listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId });
    try {
      const printed = await consumer.runModule(
        `
        import { createMerchantClient } from "cupo/client";
        const [baseUrl, serverKey, origin] = process.argv.slice(2);
        const merchant = createMerchantClient({ baseUrl, serverKey });
        const body = { kind: "pay", amount: 25000, order: "1042", origin };
        const { session_id, session } = (await merchant.createSession({ body })).body;
        const again = (await merchant.createSession({ body })).body;
        const params = { session_id };
        const before = (await merchant.sessionStatus({ params })).body.state;
        const { state } = (await merchant.cancelSession({ params })).body;
        const wrong = createMerchantClient({ baseUrl, serverKey: "sk_wrong" });
        const refused = await wrong.sessionStatus({ params }).catch(({ code }) => code);
        console.log(JSON.stringify([session.slice(0, 3), again.session_id === session_id, before, state, refused]));
        `,
        ...[`http://127.0.0.1:${listening.port}`, broker.demo.merchantKeys.serverKey, SHOP_ORIGIN],
      );
      expect(JSON.parse(printed)).toEqual(["ws_", true, "unpaid", "cancelled", "unauthorized"]);
    } finally {
      await listening.close(1_000);
      await broker.stop();
    }
  });

  it("cupo/webhooks takes what the service sends, with the secret that it gave, and with no other", async () => {
    const fixture = await aWebhookFixture();
    try {
      const hook = await fixture.aHook();
      const [userId] = await fixture.happen(1);
      await untilDelivered(fixture, hook);
      const [message] = hook.receiver.accepted;
      if (message === undefined) throw new Error("nothing was delivered");
      const verified = await verify({ ...message, secret: hook.secret, now: fixture.service.clock().getTime() });
      expect(verified).toMatchObject({ type: "user.created", data: { id: userId }, changed: "bad_signature" });
    } finally {
      await fixture.stop();
    }
  });

  it("cupo/webhooks takes what the broker sends to a merchant", async () => {
    const fixture = await aMerchantWebhookFixture();
    try {
      const merchant = await fixture.aMerchant();
      const order = await merchant.anOrder();
      const transactionId = await fixture.pay(order);
      const message = await merchant.hears(order, "payment.paid");
      const now = fixture.broker.options.clock().getTime();
      const verified = await verify({ ...message, secret: merchant.secret, now });
      const data = { order: order.order, transaction_id: transactionId };
      expect(verified).toMatchObject({ type: "payment.paid", data, changed: "bad_signature" });
    } finally {
      await fixture.stop();
    }
  });
});

describe("in TypeScript, strictly", () => {
  it("a backend has the types of operations, errors and events", async () => {
    await consumer.write("typed/backend.ts", BACKEND);
    expect(await consumer.compile({ module: "nodenext", types: ["node"], skipLibCheck: true })).toBe("");
  });

  it("a page has the types of elements and events, and React 19 those of JSX, the guide's example too", async () => {
    const elements = elementsOf(JSON.parse(await consumer.read("dist/package/custom-elements.json")));
    const tags = elements.map(({ tagName, events }) => ({ tagName, events: events.map(({ name }) => name) }));
    await consumer.write("typed/backend.ts", "export {};");
    await consumer.write("typed/page.ts", PAGE);
    await consumer.write("typed/app.tsx", reactApp(tags));
    const guide = readFileSync(join(ROOT, "docs/widgets-in-frameworks.md"), "utf8");
    await consumer.write("typed/guide.tsx", /```tsx\n([\s\S]*?)```/.exec(guide)?.[1] ?? "the guide has no example");
    const browser = { lib: ["es2024", "dom", "dom.iterable"], types: [], jsx: "react-jsx", skipLibCheck: false };
    expect(await consumer.compile({ ...browser, module: "esnext", moduleResolution: "bundler" })).toBe("");
  });
});

describe("in a page that Vite builds", () => {
  /** Builds a page whose whole script this is, and returns the built code. */
  async function bundle(script: string): Promise<string> {
    await consumer.write("page.js", script);
    const builder = await createBuilder({
      ...{ root: consumer.folder, configFile: false, logLevel: "error" },
      build: { write: false, rolldownOptions: { input: "page.js" } },
    });
    const environment = builder.environments.client;
    if (environment === undefined) throw new Error("Vite has no client environment");
    const result = await builder.build(environment);
    if (!("output" in result)) throw new Error("expected one bundle");
    return result.output.map((part) => (part.type === "chunk" ? part.code : "")).join("\n");
  }

  it("an element defines itself", async () => {
    for (const name of NAMES) {
      expect(await bundle(`import "cupo/${name}";`)).toMatch(new RegExp(`\\.define\\(.${name}.`));
    }
  });

  it("an element violates nothing under a strict policy that admits the Trusted Types of Lit", async () => {
    expect(await seenOnStrictPage(await bundle(STRICT_SCRIPT))).toEqual(["pay-ready"]);
  });

  it("a class that is not used weighs nothing, and the encoder of codes is not carried", async () => {
    expect((await bundle('import "cupo/pay-qr/element";')).trim()).toBe("");
    const code = await bundle('import "cupo/pay-qr";');
    expect(code).not.toContain("ALPHANUMERIC");
    expect(code.length).toBeLessThan(80_000);
  });
});

describe("the sources", () => {
  it("say in package.json what the package is made of", () => {
    expect(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports).toEqual(packageEntries());
  });
});
