import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OperatorRole } from "../../server/broker/access/principal.ts";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { SCOPES } from "../../src/contract/shared/scopes.ts";
import { anApiClient } from "../support/api-client-calls.ts";
import { ownPage } from "../support/broker.ts";
import { aLoanType, lend } from "../support/credit-calls.ts";
import {
  aPolicyFixture,
  askForTheirs,
  type BrokerOperationName,
  type PolicyFixture,
} from "../support/policy-fixture.ts";
import { properCalls } from "../support/proper-calls.ts";
import { anotherOperator } from "../support/second-operator.ts";
import { NOBODY, type OperationName, rawClient, standing } from "../support/service-calls.ts";
import { type BrokerPrincipal, brokerVerdicts } from "./verdicts/broker-verdicts.ts";
import { type ServicePrincipal, serviceVerdicts } from "./verdicts/service-verdicts.ts";
import { forbiddenPairs } from "./verdicts/verdict.ts";

/** A smaller number means that the tables lost rows or principals. */
const LEAST_PAIRS = 1_231;

type Headers = Readonly<Record<string, string>>;

const ofService = forbiddenPairs(serviceVerdicts);
const ofBroker = forbiddenPairs(brokerVerdicts);

let fixture: PolicyFixture;
let asService: Readonly<Record<ServicePrincipal, Headers>>;
let asBroker: Readonly<Record<BrokerPrincipal, Headers>>;
/** Things of the first entity that the calls name, by operation where it is no user. */
let named: Partial<Record<OperationName, string>>;
let raw: Awaited<ReturnType<typeof rawClient>>;

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** A payment, a hold, a code and a credit of the first entity's users. */
async function thingsOf({ entity, ana, shop }: PolicyFixture["broker"]): Promise<typeof named> {
  const payment = { amount: 5, from_user_id: ana.id, to_user_id: shop.id };
  const { body: paid } = await entity.client.createTransaction({ body: payment });
  const { body: held } = await entity.client.createTransaction({ body: { ...payment, status: "pending" } });
  const { body: code } = await entity.client.createTransactionQr({ body: { amount: 5, to_user_id: shop.id } });
  await aLoanType(entity);
  const credit = await lend(entity, ana.id, "5", { payment_date: "2900-01-01" });
  await entity.client.putWebhook({ params: { name: "orders" }, body: { url: "https://shop.example/events" } });
  return {
    ...{ settleTransaction: held.id, reverseTransaction: paid.id, transaction: paid.id },
    ...{
      findTransactionByReference: paid.reference,
      transactionQr: code.reference,
      cancelTransactionQr: code.reference,
    },
    ...{ writeOffCredit: credit.id, cancelCredit: credit.id },
    ...{ rotateApiClient: entity.clientId, disableApiClient: entity.clientId },
  } as typeof named;
}

async function servicePrincipals({ broker, credentials }: PolicyFixture): Promise<typeof asService> {
  const clients = SCOPES.map(async (scope) => {
    await anApiClient(broker.entity, scope, [scope]);
    return [scope, bearer(await broker.entity.accessToken(scope))] as const;
  });
  const { cookie = "" } = credentials.person;
  return {
    ...{ visitor: {}, cookie: { cookie }, sk_: credentials.merchant, pk_: credentials.publishable },
    ws_: credentials.paySession,
    ...(Object.fromEntries(await Promise.all(clients)) as Record<(typeof SCOPES)[number], Headers>),
    stranger: bearer(await (await broker.service.anEntity("Stranger")).accessToken()),
  };
}

async function brokerPrincipals({ broker, credentials, freezing }: PolicyFixture): Promise<typeof asBroker> {
  const signedIn = async (role: OperatorRole) => ownPage((await anotherOperator(broker, role)).cookie);
  const { person, merchant, publishable, paySession, rechargeSession, quotaSession, visitor } = credentials;
  await askForTheirs(fixture, freezing, "freezeMe");
  const block = async () => (await broker.sql<{ block: string }[]>`select block from broker.freezes`)[0]?.block;
  await vi.waitFor(async () => expect(await block()).toBe("made"), { timeout: 10_000 });
  return {
    ...{ visitor, person, anotherPerson: person, frozenPerson: freezing },
    ...{ viewer: await signedIn("viewer"), clerk: await signedIn("clerk"), admin: await signedIn("admin") },
    ...{ sk_: merchant, pk_: publishable, "access token": bearer(await broker.entity.accessToken()) },
    ...{ "ws_ pay": paySession, "ws_ recharge": rechargeSession, "ws_ quota": quotaSession },
  };
}

beforeAll(async () => {
  fixture = await aPolicyFixture();
  const { service, entity } = fixture.broker;
  named = await thingsOf(fixture.broker);
  asService = await servicePrincipals(fixture);
  asBroker = await brokerPrincipals(fixture);
  raw = await rawClient(service, entity);
});
afterAll(() => fixture.broker.stop());

/** A proper call, in which each id is one of the first entity's. */
function callOf(name: OperationName): Parameters<typeof raw>[1] {
  const { ana, shop, entity } = fixture.broker;
  const { query, body } = properCalls[name];
  const id = named[name] ?? (name === "recordSettlement" ? entity.entityId : ana.id);
  const filled = JSON.stringify({ query, body })
    .replaceAll(NOBODY.replace("0", "1"), shop.id)
    .replaceAll(NOBODY, id)
    .replace(/7K3M9QXT2V4FW|client_J3mXn0PqRs7uVw1y/, id);
  return JSON.parse(filled);
}

/** Everything that a refused call must leave as it was. */
async function everything({ broker }: PolicyFixture): Promise<unknown> {
  const kept = [
    "merchants",
    "merchant_keys",
    "widget_sessions",
    "approvals",
    "grants",
    "passkeys",
    "enrolments",
    "freezes",
  ];
  const rows = kept.map(
    (table) => broker.sql`select row_to_json(t)::text from broker.${broker.sql(table)} t order by 1`,
  );
  return [await standing(broker.service), (await Promise.all(rows)).map((found) => found.map((row) => ({ ...row })))];
}

describe("the verdicts", () => {
  it("name every row of both contracts, and no other", () => {
    expect(Object.keys(serviceVerdicts).sort()).toEqual(Object.keys(serviceContract).sort());
    expect(Object.keys(brokerVerdicts).sort()).toEqual(Object.keys(brokerContract).sort());
  });

  it(`forbid at least ${LEAST_PAIRS} pairs`, () => {
    expect(ofService.length + ofBroker.length).toBeGreaterThanOrEqual(LEAST_PAIRS);
  });
});

describe.each(Object.keys(serviceVerdicts) as OperationName[])("the service's %s", (name) => {
  it("is refused to each whom its verdict refuses, and moves nothing", async () => {
    const before = await everything(fixture);
    const pairs = ofService.filter((pair) => pair.name === name);
    const told = pairs.map(async ({ principal }) => {
      const headers = { authorization: null, ...asService[principal] };
      const response = await raw(name, { ...callOf(name), headers });
      return `${principal} ${response.status}`;
    });
    expect(await Promise.all(told)).toEqual(pairs.map(({ principal, status }) => `${principal} ${status}`));
    expect(await everything(fixture)).toEqual(before);
  });
});

describe("another entity's client", () => {
  const own = (Object.keys(serviceVerdicts) as OperationName[]).filter(
    (name) => serviceVerdicts[name].stranger === "own records only",
  );
  it.each(own)("has of %s its own records alone", async (name) => {
    const { ana, shop, service, entity } = fixture.broker;
    const before = await standing(service);
    const text = await (await raw(name, { ...callOf(name), headers: asService.stranger })).text();
    const secrets = [ana.nit, ana.phone, shop.nit, entity.clientId, named.transaction, named.writeOffCredit];
    for (const secret of secrets) expect(text).not.toContain(secret);
    if (!(serviceContract[name] as Operation).writes) expect(await standing(service)).toEqual(before);
  });
});

// Refusals of one operator are limited, so that each row has a viewer of its own.
describe.each(Object.keys(brokerVerdicts) as BrokerOperationName[])("the broker's %s", (name) => {
  it("is refused to each whom its verdict refuses, and moves nothing", async () => {
    const viewer = ownPage((await anotherOperator(fixture.broker, "viewer")).cookie);
    const before = await everything(fixture);
    const pairs = ofBroker.filter((pair) => pair.name === name);
    const told: string[] = [];
    for (const { principal } of pairs) {
      const { status } = await askForTheirs(fixture, principal === "viewer" ? viewer : asBroker[principal], name);
      told.push(`${principal} ${status}`);
    }
    expect(told).toEqual(pairs.map(({ principal, status }) => `${principal} ${status}`));
    expect(await everything(fixture)).toEqual(before);
  });
});
