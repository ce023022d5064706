import { setTimeout as delay } from "node:timers/promises";
import { addDays } from "../../src/calendar-day.ts";
import type { WebhookDelivery } from "../../src/contract/service/webhooks.ts";
import { type ExampleThing, exampleThings } from "../../src/contract/shared/example-things.ts";
import { aUser, BASE_URL, type TestEntity, type TestService } from "./service.ts";

const DUE_DAYS = 30;
const MOST_TRIES = 200;
const TRY_EVERY_MS = 50;

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

/** The service and entity for which things are made, the day, and the receiver of webhooks. */
export interface Surroundings {
  readonly service: TestService;
  readonly entity: TestEntity;
  readonly today: string;
  readonly receiverUrl: string;
}

/** How each thing is made, once; its id, code or day. */
export type Things = Readonly<Record<ExampleThing, () => Promise<string>>>;

function usersAndPayments({ service, entity, today }: Surroundings) {
  const { client } = entity;
  const payer = once(() => aUser(entity, { name: "Ana Torres", quota: 500_000 }));
  const payee = once(() => aUser(entity, { name: "Café Central" }));
  const parties = async () => ({ from_user_id: (await payer()).id, to_user_id: (await payee()).id });
  const pay = async (more: { readonly status?: "pending" } = {}) =>
    (await client.createTransaction({ body: { amount: 25_000, ...(await parties()), ...more } })).body;
  const payment = once(pay);
  const things = {
    payer: async () => (await payer()).id,
    payerNit: async () => (await payer()).nit,
    payerPhone: async () => (await payer()).phone,
    payee: async () => (await payee()).id,
    payeeNit: async () => (await payee()).nit,
    payeePhone: async () => (await payee()).phone,
    payment: async () => (await payment()).id,
    paymentReference: async () => (await payment()).reference,
    unpaidReference: once(async () => anUnpaidReference(service, entity, (await payee()).id)),
    hold: once(async () => (await pay({ status: "pending" })).id),
    counterparty: once(async () => aCounterparty(service, (await payee()).id)),
    transfer: once(async () => {
      const body = { amount: 40_000, ...(await parties()) };
      return String((await client.createLedgerTransaction({ body })).body[0]?.id);
    }),
    today: async () => today,
    earlierDay: async () => addDays(today, -DUE_DAYS),
    dueDay: async () => addDays(today, DUE_DAYS),
  };
  return { things, payer, pay };
}

function credits({ entity: { client }, today }: Surroundings, payer: () => Promise<{ readonly id: string }>) {
  const loanType = once(async () => {
    const body = { annual_rate_bps: 2_400, after_due: "continue" } as const;
    return (await client.putLoanType({ params: { loan_type: exampleThings.loanType }, body })).body.loan_type;
  });
  const credit = once(async () => {
    const { id } = await payer();
    const terms = { loan_type: await loanType(), payment_date: addDays(today, DUE_DAYS) };
    await client.addQuota({ body: { id, amount: "80000", ...terms } });
    const found = await client.credits({ query: { "user-id": id, "loan-product": terms.loan_type } });
    return String(found.body[0]?.id);
  });
  return { loanType, credit };
}

/** Makes another entity, which owes 45 000 for a payment of one of its users. */
async function aCounterparty(service: TestService, payee: string): Promise<string> {
  const other = await service.anEntity("Solidaria");
  const { id } = await aUser(other, { name: "Luis Rojas", quota: 45_000 });
  await other.client.createTransaction({ body: { amount: 45_000, from_user_id: id, to_user_id: payee } });
  return other.entityId;
}

function entityThings({ service, entity, today, receiverUrl }: Surroundings, pay: () => Promise<unknown>) {
  const { client, entityId } = entity;
  const apiClient = once(async () => (await client.createApiClient({ body: { name: "Billing" } })).body);
  const delivery = once(async () => {
    const name = exampleThings.webhook;
    await client.putWebhook({ params: { name }, body: { url: receiverUrl, event_types: ["transaction.created"] } });
    await pay();
    return aDelivery(entity, name);
  });
  return {
    entity: async () => entityId,
    apiClient: async () => (await apiClient()).client_id,
    apiClientSecret: async () => String((await apiClient()).secrets[0]?.id),
    webhook: async () => (await delivery()).endpoint_name,
    webhookUrl: async () => receiverUrl,
    event: async () => (await delivery()).event_id,
    monthBefore: once(async () => {
      const day = addDays(`${today.slice(0, 7)}-01`, -1);
      // An entity has books from the month in which it was made.
      await service.sql`update service.entities set created_at = ${day} where id = ${entityId}`;
      return day.slice(0, 7);
    }),
  };
}

/** Returns the functions that make the examples' things for an entity. */
export function realThings(surroundings: Surroundings): Things {
  const { things, payer, pay } = usersAndPayments(surroundings);
  return { ...things, ...credits(surroundings, payer), ...entityThings(surroundings, pay) };
}
