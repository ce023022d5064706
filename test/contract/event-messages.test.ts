import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SERVICE_EXAMPLES } from "../../server/service/shared/answer-examples.ts";
import { eventFile, readEvents } from "../../server/shared/example-files.ts";
import { serviceExamples } from "../../src/contract/service/service-examples.ts";
import { EVENT_TYPES, type EventType } from "../../src/contract/service/webhooks.ts";
import { type ExampleFixture, exampleFixture } from "../support/example-fixture.ts";
import { aService, BASE_URL, type TestService } from "../support/service.ts";
import { type OperationName, rawClient } from "../support/service-calls.ts";
import { aReceiver, type Received, signatureFault } from "../support/webhook-receiver.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly pattern?: string };
  readonly example: string;
}

interface Message {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: { readonly content: { readonly "application/json": { example: unknown } } };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Document {
  readonly webhooks: Readonly<Record<EventType, { readonly post: Message }>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Sends the example of an operation that the document shows, with other fields where a test wants them. */
type Prepare = (name: OperationName, change?: object) => Promise<() => Promise<Response>>;
/** Makes what an event needs, and returns the call that causes it. */
type Cause = (prepare: Prepare) => Promise<() => Promise<Response>>;

const by =
  (name: OperationName, change: object = {}): Cause =>
  (prepare) =>
    prepare(name, change);

const WITHIN = { timeout: 15_000 };

const HAPPENINGS: Readonly<Record<EventType, Cause>> = {
  "transaction.created": by("createTransaction"),
  "transaction.settled": by("settleTransaction"),
  "transaction.rejected": by("settleTransaction", { status: "rejected", amount: undefined }),
  "transaction.reversed": by("reverseTransaction"),
  "qr.paid": async (prepare) => {
    const code = await (await prepare("createTransactionQr"))();
    const { payload } = (await code.json()) as { payload: string };
    return prepare("createTransaction", { details: { qr: payload } });
  },
  "qr.expired": async (prepare) => {
    const make = await prepare("createTransactionQr", { expires_in: 30 });
    // A service sends no event of codes that expired before it first looked.
    await vi.waitFor(async () => expect(await service.sql`select from service.told_expiries`).toHaveLength(1), WITHIN);
    return async () => {
      const response = await make();
      service.advance(60);
      return response;
    };
  },
  "qr.cancelled": by("cancelTransactionQr"),
  "ledger.transfer": by("createLedgerTransaction"),
  "quota.added": by("addQuota"),
  "quota.discharged": by("dischargeQuota"),
  "credit.repaid": by("repayCredit"),
  "credit.written_off": by("writeOffCredit"),
  "credit.cancelled": by("cancelCredit"),
  "user.created": by("createUser"),
  "user.updated": by("updateUser"),
  "user.blocked": by("blockUser"),
  "counterparty.limit_near": by("putCounterpartyLimit", { limit: "50000" }),
  "counterparty.settled": by("recordSettlement"),
};

let service: TestService;
let document: Document;
const received = new Map<EventType, Received["event"]>();

beforeAll(async () => {
  service = await aService({ webhooks: { allowed: ["127.0.0.0/8"], pollMs: 50 } });
  document = (await (await service.fetch(`${BASE_URL}/openapi.json`)).json()) as Document;
});
afterAll(() => service.stop());

const contentOf = (type: EventType) => document.webhooks[type].post.requestBody.content["application/json"];
const parametersOf = (type: EventType): Parameter[] =>
  document.webhooks[type].post.parameters.flatMap(
    ({ $ref }) => document.components.parameters[$ref.split("/").at(-1) ?? ""] ?? [],
  );

/** Lets an event happen in a fixture of its own; returns the message that a real receiver got, and its secret. */
async function happen(type: EventType): Promise<{ message: Received; secret: string; fixture: ExampleFixture }> {
  const receiver = await aReceiver();
  try {
    const entity = await service.anEntity();
    const fixture = await exampleFixture(service, entity, receiver.url);
    const raw = await rawClient(service, entity);
    const cause = await HAPPENINGS[type](async (name, change) => {
      const body: unknown = { ...(serviceExamples[name]?.body as object), ...change };
      const text = await fixture.real(JSON.stringify(body));
      const params = JSON.parse(await fixture.real(JSON.stringify(serviceExamples[name]?.params ?? {})));
      return () => raw(name, { text, params });
    });
    const body = { url: receiver.url, event_types: [type] };
    const { secret = "" } = (await entity.client.putWebhook({ params: { name: "events" }, body })).body;
    expect((await cause()).status).toBeLessThan(300);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WITHIN);
    const [message] = receiver.received;
    if (message === undefined) throw new Error("nothing was received");
    return { message, secret, fixture };
  } finally {
    await receiver.down();
  }
}

describe("the webhooks of the document", () => {
  it("are the types of events, each with its own name, the headers, and what a receiver may answer", () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
    const messages = Object.values(document.webhooks).map(({ post }) => post);
    expect(new Set(messages.map(({ operationId }) => operationId)).size).toBe(EVENT_TYPES.length);
    for (const { description, responses } of messages) {
      expect(description).toMatch(/[Tt]old to .*\.$/);
      expect(Object.keys(responses).sort()).toEqual(["2XX", "410", "default"].sort());
    }
    for (const type of EVENT_TYPES) {
      const names = parametersOf(type).map(({ name, in: place, required }) => [name, place, required]);
      expect(names).toEqual(
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, "header", true]),
      );
    }
  });

  it.each([...EVENT_TYPES])("show what a receiver is sent: %s", { timeout: 30_000 }, async (type) => {
    const { message, secret, fixture } = await happen(type);
    expect(signatureFault(secret, message)).toBeUndefined();
    for (const { name, schema, example } of parametersOf(type)) {
      const pattern = new RegExp(schema.pattern ?? "^[0-9a-f-]{36}$");
      expect([message.headers[name], example], name).toEqual([
        expect.stringMatching(pattern),
        expect.stringMatching(pattern),
      ]);
    }
    received.set(type, message.event);
    const shown = `${JSON.stringify(fixture.shown(message.event), null, 2)}\n`;
    // If the message changed on purpose, run this file with --update, and look at what changed.
    await expect(shown).toMatchFileSnapshot(eventFile(SERVICE_EXAMPLES, type));
  });

  it("have those messages as their examples", () => {
    const examples = Object.fromEntries(EVENT_TYPES.map((type) => [type, contentOf(type).example]));
    expect(examples).toEqual(readEvents(SERVICE_EXAMPLES, EVENT_TYPES));
  });

  it("have schemas that describe every field that was sent, and no other kind of value", async () => {
    expect([...received.keys()]).toEqual([...EVENT_TYPES]);
    const exact = { severity: "error", allowAdditionalProperties: false } as const;
    const config = await createConfig({ rules: { "no-invalid-media-type-examples": exact } });
    const faultsOf = async (events: ReadonlyMap<EventType, unknown>): Promise<string[]> => {
      for (const [type, event] of events) contentOf(type).example = event;
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      return problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`);
    };
    expect(await faultsOf(received)).toEqual([]);
    const wrong = [...received].map(([type, { data, ...rest }]) => [type, { ...rest, data: { ...data, more: 1 } }]);
    expect(await faultsOf(new Map(wrong as [EventType, unknown][]))).toHaveLength(EVENT_TYPES.length);
  });
});
