import { createConfig, lintFromString } from "@redocly/openapi-core";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MERCHANT_EXAMPLES } from "../../server/broker/reference/merchant-document.ts";
import { eventFile, exampleFile, readEvents } from "../../server/shared/example-files.ts";
import { businessTime } from "../../src/business-time.ts";
import { brokerContract, merchantContract } from "../../src/contract/broker/broker.ts";
import { MerchantEventType } from "../../src/contract/broker/merchant-events.ts";
import { merchantThings } from "../../src/contract/broker/merchant-examples.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { ORIGIN } from "../support/broker.ts";
import { describedIn, documentedRequest } from "../support/documented-request.ts";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  type NotifiedMerchant,
  WITHIN,
} from "../support/merchant-webhook-fixture.ts";
import { setPowers } from "../support/set-powers.ts";
import { showAnswer } from "../support/show-answer.ts";
import { fundShop } from "../support/till.ts";

interface Content {
  readonly "application/json": { example: unknown };
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly example?: string;
    readonly description?: string;
    readonly $ref?: string;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Content }>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: { content: Content } } }>>;
  readonly components: { readonly securitySchemes: object };
}

type Things = Readonly<Record<keyof typeof merchantThings, string>>;

const ROWS = Object.values(merchantContract) as readonly Operation[];
const TILL = "till 2";
const today = () => businessTime("America/Bogota").dayOf(new Date());

let fixture: MerchantWebhookFixture;
let document: Document;

beforeAll(async () => {
  fixture = await aMerchantWebhookFixture();
  await fundShop(fixture.broker);
  document = (await (await fixture.broker.fetch(`${ORIGIN}/openapi.json`)).json()) as Document;
});
afterAll(() => fixture.stop());

function describedOf(row: Operation): Described {
  return describedIn(document, row);
}

/** The name and description of every property of the schemas in a part of the document. */
function propertiesIn(value: unknown): (readonly [string, string | undefined])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === "example" || key === "examples") return [];
    const schemas = key === "properties" ? (member as Readonly<Record<string, { description?: string }>>) : {};
    const own = Object.entries(schemas).map(([name, { description }]) => [name, description] as const);
    return [...own, ...propertiesIn(member)];
  });
}

/** Sells one top-up at the till of the examples. */
async function sell({ backend }: NotifiedMerchant): Promise<void> {
  const session = { kind: "recharge", max_amount: 50_000, till: TILL, origin: "https://shop.example" } as const;
  const till = fixture.broker.till((await backend.createSession({ body: session })).body.session);
  const { handle } = (await till.lookUp({ body: { phone: fixture.broker.ben.phone } })).body;
  const sold = await till.createRecharge({ body: { handle, amount: 10_000 } }, { idempotencyKey: v7() });
  expect(sold.body.state).toBe("approved");
}

/** A merchant with the things that the examples name: an order that was paid, and one that was not. */
async function aKnownMerchant(): Promise<{ merchant: NotifiedMerchant; things: Things }> {
  const merchant = await fixture.aMerchant();
  await setPowers(fixture.broker, { sellsTopUps: true, refunds: true });
  const paid = await merchant.anOrder({ order: "1042" });
  const payment = await fixture.pay(paid);
  const { id } = await merchant.hears(paid, "payment.paid");
  // The broker records the answer of the receiver, who knows the message already.
  const delivered = async () => (await merchant.backend.webhookDeliveries({ query: { state: "delivered" } })).body;
  await expect.poll(delivered, WITHIN).toHaveLength(1);
  const unpaid = await merchant.anOrder({ order: "1044" });
  const things = { paidSession: paid.session_id, unpaidSession: unpaid.session_id, payment, event: id, today: today() };
  return { merchant, things };
}

/** A text with the real things in place of those of the examples. */
function real(text: string, things: Things): string {
  const names = Object.keys(things) as (keyof Things)[];
  return names.reduce((made, name) => made.replaceAll(merchantThings[name], things[name]), text);
}

/** An answer or a message, with the things of the examples in place of the real ones. */
function shown(answer: unknown, things: Partial<Things>): unknown {
  const names = Object.keys(things) as (keyof Things)[];
  return showAnswer(answer, new Map(names.map((name) => [things[name] ?? "", merchantThings[name]])));
}

describe("the broker's /openapi.json", () => {
  it("has the operations of a merchant's backend, none that people or operators call, and nobody's cookie", () => {
    const found = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(found.sort()).toEqual(Object.keys(merchantContract).sort());
    const others = Object.values(brokerContract).filter(({ access }) => access === "person" || access === "operator");
    for (const { path } of others) expect(document.paths).not.toHaveProperty([path.replace(/:(\w+)/g, "{$1}")]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["seller", "merchant"]);
    expect(document).toMatchObject({ info: { version: "0.0.0" }, servers: [{ url: ORIGIN }] });
  });

  it("leaves a linter with its strictest set of rules nothing to say", async () => {
    // The tests' broker is on this machine, which that rule forbids.
    const config = await createConfig({ extends: ["recommended-strict"], rules: { "no-server-example.com": "off" } });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it("says what every field and parameter means, before its rules", () => {
    const fields = [...propertiesIn(document.paths), ...propertiesIn(document.webhooks)];
    const parameters = ROWS.flatMap((row) => describedOf(row).parameters).filter(({ $ref }) => $ref === undefined);
    const all = [...fields, ...parameters.map(({ name = "", description }) => [name, description] as const)];
    expect(new Set(all.map(([name]) => name)).size).toBeGreaterThan(30);
    expect(all.filter(([, description = ""]) => !/^[A-Z`0-9]/.test(description))).toEqual([]);
  });
});

describe("the examples of the broker's document", () => {
  it.each(ROWS.map((row) => [row.name, row] as const))("work, and are answered as it says: %s", async (name, row) => {
    const { merchant, things } = await aKnownMerchant();
    if (name === "recharges") await sell(merchant);
    if (name === "refunds") {
      const refund = { params: { payment_id: things.payment }, body: { amount: 5_000, reason: "one cup was broken" } };
      await merchant.backend.createRefund(refund, { idempotencyKey: v7() });
    }
    const { path, body } = documentedRequest(row, describedOf(row));
    const response = await fixture.broker.fetch(ORIGIN + real(path, things), {
      method: row.method,
      headers: {
        authorization: `Bearer ${merchant.serverKey}`,
        "content-type": "application/json",
        "idempotency-key": v7(),
      },
      ...(body === undefined ? {} : { body: real(body, things) }),
    });
    const answer = shown(await response.json(), things);
    expect([response.status, answer]).toEqual([row.status, expect.anything()]);
    if (Array.isArray(answer)) expect(answer).not.toEqual([]);
    const { headers = {}, content } = describedOf(row).responses[row.status] ?? {};
    const sometimes = ["Link"];
    for (const header of Object.keys(headers).filter((each) => !sometimes.includes(each)))
      expect([header, response.headers.get(header)]).toEqual([header, expect.any(String)]);
    if (content !== undefined) content["application/json"].example = answer;
    // If the answer changed on purpose, run this file with --update, and look at what changed.
    await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot(exampleFile(MERCHANT_EXAMPLES, name));
  });

  it.each(MerchantEventType.options)("are what a merchant's webhook was sent: %s", async (type) => {
    const merchant = await fixture.aMerchant();
    // The service tells of what expires from its first look on.
    await expect.poll(() => fixture.broker.service.sql`select from service.told_expiries`, WITHIN).toHaveLength(1);
    const order = await merchant.anOrder({ order: "1042", expires_in: 30 });
    const things: { paidSession: string; payment?: string } = { paidSession: order.session_id };
    if (type === "payment.expired") fixture.broker.advance(60);
    else things.payment = await fixture.pay(order);
    if (type === "payment.refunded") {
      await merchant.hears(order, "payment.paid");
      await fixture.refund(things.payment ?? "", 5_000);
    }
    const { event } = await merchant.hears(order, type);
    const message = shown(event, things);
    await expect(`${JSON.stringify(message, null, 2)}\n`).toMatchFileSnapshot(eventFile(MERCHANT_EXAMPLES, type));
  });

  it("have those messages as their examples", () => {
    const types = MerchantEventType.options;
    expect(Object.keys(document.webhooks)).toEqual(types);
    const contents = types.map((type) => document.webhooks[type]?.post.requestBody.content["application/json"]);
    const sent = readEvents(MERCHANT_EXAMPLES, types);
    expect(contents.map((content) => content?.example)).toEqual(types.map((type) => sent[type]));
  });

  it("are of the shapes that the document's own schemas describe, the real answers too", async () => {
    const exact = { severity: "error", allowAdditionalProperties: false } as const;
    const config = await createConfig({
      rules: { "no-invalid-media-type-examples": exact, "no-invalid-parameter-examples": exact },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  });
});
