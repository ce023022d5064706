import { setTimeout as delay } from "node:timers/promises";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import { type ExampleThing, exampleThings } from "../../src/contract/example-things.ts";
import type { WebhookDelivery } from "../../src/contract/webhooks.ts";
import { aUser, BASE_URL, type TestEntity, type TestService } from "./service.ts";
import { showAnswer } from "./show-answer.ts";

const ALWAYS = [
  "entity",
  "payment",
  "paymentReference",
  "payer",
  "payerNit",
  "payerPhone",
  "payee",
  "payeeNit",
  "payeePhone",
  "transfer",
  "webhookUrl",
  "lastMonth",
  "today",
  "dueDay",
] as const;
const NAMES = Object.entries(exampleThings) as [ExampleThing, string][];
const ANY_NAME = new RegExp(NAMES.map(([, example]) => example.replace(/[+.]/g, "\\$&")).join("|"), "g");
const DUE_DAYS = 30;
const MOST_TRIES = 200;
const TRY_EVERY_MS = 50;
const TIME_ZONE = "America/Bogota";

/** The things that the examples speak of, for one entity; each is made when it is first needed. */
export interface ExampleWorld {
  /** Makes things that an example needs and does not name. */
  need(...things: readonly ExampleThing[]): Promise<void>;
  /** An example's text with the ids of real things. */
  real(text: string): Promise<string>;
  /** An answer as the documents show it: with the examples' ids, days and codes in place of today's. */
  shown(answer: unknown): unknown;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function anUnpaidReference(service: TestService, entity: TestEntity, payee: string): Promise<string> {
  const response = await service.fetch(`${BASE_URL}/create-transaction-qr`, {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Bearer ${await entity.accessToken()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ amount: 25_000, to_user_id: payee }),
  });
  return ((await response.json()) as { reference: string }).reference;
}

/** The delivery of a webhook's one event, once it was accepted. */
async function aDelivery({ client }: TestEntity, name: string): Promise<WebhookDelivery> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const [delivery] = (await client.webhookDeliveries({ query: { "endpoint-name": name } })).body;
    if (delivery?.state === "delivered") return delivery;
    await delay(TRY_EVERY_MS);
  }
  throw new Error("the receiver was not told of the payment");
}

interface Surroundings {
  readonly today: string;
  readonly receiverUrl: string;
}

type Things = Readonly<Record<ExampleThing, () => Promise<string>>>;

function thingsOf(service: TestService, entity: TestEntity, { today, receiverUrl }: Surroundings): Things {
  const { client } = entity;
  const payer = once(() => aUser(entity, { name: "Ana Torres", quota: 500_000 }));
  const payee = once(() => aUser(entity, { name: "Café Central" }));
  const body = async () => ({ amount: 25_000, from_user_id: (await payer()).id, to_user_id: (await payee()).id });
  const payment = once(async () => (await client.createTransaction({ body: await body() })).body);
  const hold = once(async () => client.createTransaction({ body: { ...(await body()), status: "pending" } }));
  const webhook = once(async () => {
    const name = exampleThings.webhook;
    await client.putWebhook({ params: { name }, body: { url: receiverUrl, event_types: ["transaction.created"] } });
    await client.createTransaction({ body: await body() });
    return aDelivery(entity, name);
  });
  const loanType = once(async () => {
    const [loan_type, body] = [exampleThings.loanType, { annual_rate_bps: 2_400, after_due: "continue" } as const];
    return (await client.putLoanType({ params: { loan_type }, body })).body.loan_type;
  });
  const apiClient = once(async () => (await client.createApiClient({ body: { name: "Billing" } })).body);
  return {
    entity: async () => entity.entityId,
    payer: async () => (await payer()).id,
    payerNit: async () => (await payer()).nit,
    payerPhone: async () => (await payer()).phone,
    payee: async () => (await payee()).id,
    payeeNit: async () => (await payee()).nit,
    payeePhone: async () => (await payee()).phone,
    payment: async () => (await payment()).id,
    paymentReference: async () => (await payment()).reference,
    unpaidReference: once(async () => anUnpaidReference(service, entity, (await payee()).id)),
    hold: async () => (await hold()).body.id,
    loanType,
    credit: once(async () => {
      const { id } = await payer();
      const terms = { loan_type: await loanType(), payment_date: addDays(today, DUE_DAYS) };
      await client.addQuota({ body: { id, amount: "80000", ...terms } });
      const [credit] = (await client.credits({ query: { "user-id": id, "loan-product": terms.loan_type } })).body;
      return credit?.id ?? "";
    }),
    apiClient: async () => (await apiClient()).client_id,
    apiClientSecret: async () => (await apiClient()).secrets[0]?.id ?? "",
    transfer: once(async () => {
      const [transfer] = (await client.createLedgerTransaction({ body: { ...(await body()), amount: 40_000 } })).body;
      return transfer?.id ?? "";
    }),
    webhook: async () => (await webhook()).endpoint_name,
    webhookUrl: async () => receiverUrl,
    event: async () => (await webhook()).event_id,
    today: async () => today,
    monthBefore: once(async () => {
      const day = addDays(`${today.slice(0, 7)}-01`, -1);
      // An entity has books from the month in which it was made.
      await service.sql`update service.entities set created_at = ${day} where id = ${entity.entityId}`;
      return day.slice(0, 7);
    }),
    lastMonth: async () => addDays(today, -DUE_DAYS),
    dueDay: async () => addDays(today, DUE_DAYS),
  };
}

/** Makes the world of an entity's examples, with a payment in it; the receiver takes its webhooks. */
export async function exampleWorld(
  service: TestService,
  entity: TestEntity,
  receiverUrl: string,
): Promise<ExampleWorld> {
  const today = businessTime(TIME_ZONE).dayOf(new Date());
  const things = thingsOf(service, entity, { today, receiverUrl });
  const known = new Map<string, string>();
  const learn = async (thing: ExampleThing): Promise<string> => {
    const real = await things[thing]();
    known.set(real, exampleThings[thing]);
    return real;
  };
  const need = async (...wanted: readonly ExampleThing[]): Promise<void> => {
    for (const thing of wanted) await learn(thing);
  };
  await need(...ALWAYS);
  return {
    need,
    async real(text) {
      const named = NAMES.filter(([, example]) => text.includes(example));
      await need(...named.map(([thing]) => thing));
      const reals = new Map(
        await Promise.all(named.map(async ([thing, example]) => [example, await things[thing]()] as const)),
      );
      // In one go: what takes a thing's place may be what another is called.
      return text.replace(ANY_NAME, (example) => reals.get(example) ?? example);
    },
    shown: (answer) => showAnswer(answer, known),
  };
}
