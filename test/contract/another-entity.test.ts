import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/client.ts";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import type { ErrorCode } from "../../src/contract/shared/errors.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type OperationName } from "../support/service-calls.ts";

/** The ids of an entity's records that no other entity may debit, drain, read or harvest. */
interface Property {
  readonly entityId: string;
  readonly clientId: string;
  /** A user with quota and a credit at interest. */
  readonly ana: string;
  readonly shop: string;
  readonly creditId: string;
  readonly paymentId: string;
  readonly paymentReference: string;
  readonly holdId: string;
  readonly qrReference: string;
  readonly eventId: string;
  /** A user of the stranger's own. */
  readonly foreign: string;
}

/** A stranger's attempt by an operation, which fails with a code or sees nothing of the owner's. */
type Attempt = (client: Client<ServiceContract>, property: Property) => Promise<void>;

let service: TestService;
let ours: TestEntity;
let stranger: TestEntity;
let property: Property;

function today(): string {
  return new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
}

async function refused(attempt: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(attempt).rejects.toMatchObject({ code });
}

/** Expects an answer that holds no id of the owner's. */
async function seesNothing(attempt: Promise<{ readonly body: unknown }>, owned: Property): Promise<void> {
  const text = JSON.stringify((await attempt).body);
  const { foreign: _, ...ids } = owned;
  for (const id of Object.values(ids)) expect(text).not.toContain(id);
}

const month = { year: "2020", month: "1" };
const days = { "from-day": "2020-01-01", "to-day": "2020-01-31" };

const attempts = {
  createTransaction: (client, { ana, foreign }) =>
    refused(
      client.createTransaction({ body: { amount: 1, from_user_id: ana, to_user_id: foreign } }),
      "payer_not_yours",
    ),
  createPaymentTransaction: (client, { ana, foreign }) =>
    refused(
      client.createPaymentTransaction({ body: { from_user_id: ana, payments: [{ amount: 1, to_user_id: foreign }] } }),
      "payer_not_yours",
    ),
  createRechargeTransaction: (client, { ana, foreign }) =>
    refused(
      client.createRechargeTransaction({ body: { amount: 1, from_user_id: ana, to_user_id: foreign } }),
      "payer_not_yours",
    ),
  settleTransaction: async (client, { holdId }) => {
    for (const status of ["approved", "rejected"] as const) {
      await refused(client.settleTransaction({ body: { id: holdId, status } }), "transaction_not_found");
    }
  },
  reverseTransaction: (client, { paymentId }) =>
    refused(client.reverseTransaction({ body: { id: paymentId } }), "transaction_not_found"),
  transaction: (client, { paymentId: id }) => refused(client.transaction({ query: { id } }), "transaction_not_found"),
  transactionHistory: (client, owned) =>
    seesNothing(client.transactionHistory({ query: { "user-id": owned.ana, direction: "all" } }), owned),
  receivedPayments: (client, owned) =>
    seesNothing(client.receivedPayments({ query: { "user-id": owned.shop } }), owned),
  transactionSummary: (client, owned) =>
    seesNothing(client.transactionSummary({ query: { "user-id": owned.ana } }), owned),
  findTransactionByReference: (client, { paymentReference }) =>
    refused(client.findTransactionByReference({ query: { reference: paymentReference } }), "transaction_not_found"),
  // Codes are for any payee, and any payer's app may read their state; their fields are on the code itself.
  createTransactionQr: (client, owned) =>
    seesNothing(client.createTransactionQr({ body: { amount: 1, to_user_id: owned.foreign } }), owned),
  transactionQr: async (client, { qrReference }) => {
    const { body } = await client.transactionQr({ query: { reference: qrReference } });
    expect(body).toMatchObject({ state: "unpaid" });
    expect(body).not.toHaveProperty("details");
  },
  cancelTransactionQr: (client, { qrReference }) =>
    refused(client.cancelTransactionQr({ body: { reference: qrReference } }), "not_allowed"),
  createLedgerTransaction: (client, { ana, foreign }) =>
    refused(
      client.createLedgerTransaction({ body: { amount: 1, from_user_id: ana, to_user_id: foreign } }),
      "payer_not_yours",
    ),
  ledgerTransactionHistory: (client, owned) =>
    seesNothing(client.ledgerTransactionHistory({ query: { "user-id": owned.ana } }), owned),
  voidIdempotencyKey: async (client) => {
    const key = "a key of ours";
    await client.voidIdempotencyKey({ body: { operation: "settleTransaction", key } });
    const settling = ours.client.settleTransaction(
      { body: { id: NOBODY, status: "approved" } },
      { idempotencyKey: key },
    );
    await refused(settling, "transaction_not_found");
  },
  user: async (client, { ana }) => {
    const { body } = await client.user({ query: { id: ana } });
    expect(body).toMatchObject({ quota: null, phone: null, address: null, payment_data: null, history: [] });
  },
  users: (client, owned) => seesNothing(client.users({ query: {} }), owned),
  createUser: async (client, { ana }) => {
    const { body } = await ours.client.user({ query: { id: ana } });
    const taken = { nit: body.nit ?? "", phone: body.phone ?? "" };
    await refused(client.createUser({ body: { name: "Ana", ...taken } }), "duplicate_user");
  },
  updateUser: (client, { ana }) =>
    refused(client.updateUser({ body: { id: ana, name: "Somebody else" } }), "user_not_yours"),
  blockUser: (client, { ana }) => refused(client.blockUser({ body: { id: ana } }), "user_not_yours"),
  unblockUser: (client, { ana }) => refused(client.unblockUser({ body: { id: ana } }), "user_not_yours"),
  entitySettings: async (client) => {
    expect((await client.entitySettings({})).body).toEqual({
      blocking_statuses: [],
      ...{ payment_limit: null, daily_limit: null, transfer_limit: null },
      lenders: [],
      foreign_lenders: "principal",
    });
  },
  // Sets the stranger's own settings; the owner's are compared below.
  putEntitySettings: async (client) => {
    await client.putEntitySettings({ body: { payment_limit: 1 } });
    await client.putEntitySettings({ body: { payment_limit: null } });
  },
  addQuota: async (client, { ana, entityId }) => {
    const body = { id: ana, amount: "1", loan_type: "default", payment_date: today() };
    await refused(client.addQuota({ body: { ...body, financial_entity_id: entityId } }), "entity_not_yours");
    await refused(client.addQuota({ body }), "user_not_yours");
  },
  previewAddQuota: async (client, { ana, entityId }) => {
    const body = { id: ana, amount: "1", loan_type: "default", payment_date: today() };
    await refused(client.previewAddQuota({ body: { ...body, financial_entity_id: entityId } }), "entity_not_yours");
    await refused(client.previewAddQuota({ body }), "user_not_yours");
  },
  dischargeQuota: (client, { ana }) =>
    refused(client.dischargeQuota({ body: { id: ana, amount: "1" } }), "user_not_yours"),
  previewDischargeQuota: (client, { ana }) =>
    refused(client.previewDischargeQuota({ body: { id: ana, amount: "1" } }), "user_not_yours"),
  credits: async (client, owned) => {
    await seesNothing(client.credits({ query: {} }), owned);
    await seesNothing(client.credits({ query: { "user-id": owned.ana } }), owned);
  },
  repayCredit: async (client, { ana, creditId }) => {
    const all = { id: ana, amount: "1" } as const;
    await refused(client.repayCredit({ body: { ...all, source: "quota" } }), "user_not_yours");
    await refused(client.repayCredit({ body: { ...all, source: "cash" } }), "more_than_owed");
    for (const source of ["quota", "cash"] as const) {
      await refused(client.repayCredit({ body: { ...all, credit_id: creditId, source } }), "credit_not_found");
    }
  },
  writeOffCredit: (client, { creditId }) =>
    refused(client.writeOffCredit({ body: { credit_id: creditId } }), "credit_not_found"),
  cancelCredit: (client, { creditId }) =>
    refused(client.cancelCredit({ body: { credit_id: creditId } }), "credit_not_found"),
  importCredit: async (client, { ana }) => {
    const body = { id: ana, loan_type: "default", principal: "1", opened_on: today() };
    await refused(client.importCredit({ body }), "user_not_yours");
  },
  loanTypes: async (client) => {
    const { body } = await client.loanTypes({});
    expect(body.map(({ loan_type }) => loan_type)).toEqual(["default", "deposit"]);
  },
  counterpartyLimits: async (client, { entityId }) => {
    const { body } = await client.counterpartyLimits({});
    for (const { counterparty_id } of body) expect(counterparty_id).toBe(entityId);
  },
  putCounterpartyLimit: async (client, { entityId }) => {
    const { body } = await client.putCounterpartyLimit({ params: { entity_id: entityId }, body: { limit: "1" } });
    expect(body.own.limit).not.toBe("1");
  },
  recordSettlement: (client, { entityId }) =>
    refused(client.recordSettlement({ body: { debtor_id: entityId, amount: "1" } }), "more_than_owed"),
  // Sets a loan type of the stranger's own by a name of the owner's; the owner's terms are compared below.
  putLoanType: async (client) => {
    const body = { annual_rate_bps: 9_999, after_due: "continue" } as const;
    await client.putLoanType({ params: { loan_type: "micro" }, body });
  },
  getTransactionStatistics: (client, { entityId }) =>
    refused(client.getTransactionStatistics({ query: { uid: entityId } }), "entity_not_yours"),
  getHarvestStatistics: (client, { entityId }) =>
    refused(client.getHarvestStatistics({ query: { uid: entityId } }), "entity_not_yours"),
  getClientStatistics: async (client, { entityId, ana }) => {
    await refused(client.getClientStatistics({ query: { uid: entityId } }), "entity_not_yours");
    await refused(client.getClientStatistics({ query: { uid: ana } }), "entity_not_yours");
  },
  getAccountingReport: (client, owned) => seesNothing(client.getAccountingReport({ query: month }), owned),
  // The stranger can name no entity but itself, and its first month is not over; the owner's books are compared below.
  closeMonth: (client) => refused(client.closeMonth({ body: { month: today().slice(0, 7) } }), "month_not_over"),
  reopenMonth: (client, owned) => seesNothing(client.reopenMonth({ body: { month: "2999-12" } }), owned),
  reverseAccruals: (client, owned) => seesNothing(client.reverseAccruals({ body: { from_day: today() } }), owned),
  accounts: (client, owned) => seesNothing(client.accounts({ query: {} }), owned),
  entries: async (client, owned) => {
    await refused(client.entries({ query: { account: owned.ana } }), "user_not_yours");
    await seesNothing(client.entries({ query: { account: "credits_receivable" } }), owned);
  },
  accountStatement: (client, { ana }) =>
    refused(client.accountStatement({ query: { "user-id": ana, ...days } }), "user_not_yours"),
  apiClients: (client, owned) => seesNothing(client.apiClients({ query: {} }), owned),
  createApiClient: (client, owned) => seesNothing(client.createApiClient({ body: { name: "Another" } }), owned),
  rotateApiClient: (client, { clientId }) =>
    refused(client.rotateApiClient({ body: { client_id: clientId } }), "api_client_not_found"),
  disableApiClient: (client, { clientId }) =>
    refused(client.disableApiClient({ body: { client_id: clientId } }), "api_client_not_found"),
  // Makes a webhook of the stranger's own; the owner's webhook of that name is compared below.
  putWebhook: async (client) => {
    const body = { url: "https://stranger.example/hook" };
    await client.putWebhook({ params: { name: "orders" }, body });
  },
  webhooks: async (client) => {
    const { body } = await client.webhooks({ query: {} });
    expect(JSON.stringify(body)).not.toContain("ours.example");
  },
  webhookDeliveries: (client, owned) =>
    seesNothing(client.webhookDeliveries({ query: { "endpoint-name": "orders" } }), owned),
  redeliverWebhook: (client, { eventId }) =>
    refused(
      client.redeliverWebhook({ body: { event_id: eventId, endpoint_name: "orders" } }),
      "webhook_delivery_not_found",
    ),
} satisfies Record<OperationName, Attempt>;

/** Reads all that the owner can see of its own records. */
async function standingOf({ client }: TestEntity, { ana, shop, qrReference }: Property): Promise<unknown> {
  const { body: anaNow } = await client.user({ query: { id: ana } });
  const { body: shopNow } = await client.user({ query: { id: shop } });
  const lists = [client.credits({ query: {} }), client.users({ query: {} }), client.accounts({ query: {} })];
  const settings = [client.entitySettings({}), client.loanTypes({}), client.apiClients({ query: {} })];
  const others = [client.webhooks({ query: {} }), client.transactionQr({ query: { reference: qrReference } })];
  const all = await Promise.all<{ body: unknown }>([...lists, ...settings, ...others]);
  const [closed] = await service.sql`select closed_through from service.entities where id = ${ours.entityId}`;
  // The countdown of the code goes on by itself.
  const bodies = all.map(({ body }) =>
    JSON.parse(JSON.stringify(body, (key, value) => (key === "expires_in" ? 0 : value))),
  );
  return { anaNow, shopNow, bodies, closed };
}

async function aProperty(): Promise<Property> {
  const { client, entityId, clientId } = ours;
  const ana = (await aUser(ours, { name: "Ana" })).id;
  const shop = (await aUser(ours, { name: "Shop" })).id;
  const foreign = (await aUser(stranger, { name: "Foreign", quota: 50 })).id;
  await client.putWebhook({ params: { name: "orders" }, body: { url: "https://ours.example/hook" } });
  await client.putLoanType({ params: { loan_type: "micro" }, body: { annual_rate_bps: 2_400, after_due: "stop" } });
  const lending = { id: ana, amount: "1000", loan_type: "micro", payment_date: today() };
  await client.addQuota({ body: lending });
  const [credit] = (await client.credits({ query: { "user-id": ana } })).body;
  const paying = { amount: 10, from_user_id: ana, to_user_id: shop };
  const { body: payment } = await client.createTransaction({ body: paying });
  const { body: hold } = await client.createTransaction({ body: { ...paying, status: "pending" } });
  const { body: qr } = await client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
  await client.putEntitySettings({ body: { payment_limit: 700 } });
  const [delivery] = (await client.webhookDeliveries({ query: { "endpoint-name": "orders" } })).body;
  return {
    entityId,
    clientId,
    ana,
    shop,
    foreign,
    creditId: credit?.id ?? "",
    paymentId: payment.id,
    paymentReference: payment.reference,
    holdId: hold.id,
    qrReference: qr.reference ?? "",
    eventId: delivery?.event_id ?? "",
  };
}

beforeAll(async () => {
  service = await aService();
  [ours, stranger] = [await service.anEntity("Ours"), await service.anEntity("Stranger")];
  property = await aProperty();
});
afterAll(() => service.stop());

describe("another entity can neither debit, drain, read nor harvest what is not its own", () => {
  it("and there is something of every sort to be had", () => {
    for (const [name, value] of Object.entries(property))
      expect([name, value]).toEqual([name, expect.stringMatching(/./)]);
  });

  it.each(Object.keys(serviceContract) as OperationName[])("by %s", async (name) => {
    const before = await standingOf(ours, property);
    await (attempts[name] as Attempt)(stranger.client, property);
    expect(await standingOf(ours, property)).toEqual(before);
  });

  it("and leaves sound books", () => expectSoundBooks(service));
});
