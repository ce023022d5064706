import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policy } from "../../server/broker/access/policy/policy.ts";
import type { PrincipalKind } from "../../server/broker/access/principal.ts";
import { createClient } from "../../src/client.ts";
import { brokerContract, personContract } from "../../src/contract/broker/broker.ts";
import { errorCodes, type Problem } from "../../src/contract/shared/errors.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { anOrder, ORIGIN } from "../support/broker.ts";
import {
  anyQuery,
  bentFields,
  brokenBody,
  headerValue,
  oddFields,
  oddValue,
  queryOf,
} from "../support/odd-requests.ts";
import {
  aPolicyFixture,
  type BrokerOperationName,
  foreignRequest,
  type PolicyFixture,
} from "../support/policy-fixture.ts";
import { NOBODY, standing } from "../support/service-calls.ts";

const RUNS = 40;
/** A smaller number means that the contract lost rows, or that properties send nothing. */
const LEAST_REQUESTS = 6_880;

/** Every operation with each kind of principal that has it; those that change what others need come last. */
const PAIRS = (Object.keys(policy) as PrincipalKind[])
  .sort((a, b) => Number(a === "operator") - Number(b === "operator"))
  .flatMap((kind) => Object.keys(policy[kind]).map((name) => [kind, name as BrokerOperationName] as const));

let fixture: PolicyFixture;
/** Ids, codes and amounts of this installation, and their like. */
let near: readonly unknown[];
/** The asker's own things, where others' are refused. */
let own: Partial<Record<BrokerOperationName, Readonly<Record<string, unknown>>>>;
/** Secrets that no answer may hold. */
let secrets: readonly string[];
/** An approval that the person opened. */
let approval: string;
let atFirst: number;
let requests = 0;
let done = 0;

beforeAll(async () => {
  let minutes = 0;
  // A minute between any two readings refills every bucket, so that no request is refused for those before it.
  fixture = await aPolicyFixture({ now: () => ++minutes * 60_000, wait: async () => undefined });
  const { broker, theirs, otherMerchantId, credentials } = fixture;
  const headers = () => ({ ...credentials.person });
  const ana = createClient(personContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  const { session, reference } = await anOrder(broker, { amount: 5 });
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  approval = (await ana.openApproval({ body: { payload } })).body.id;
  near = [
    ...[broker.ana.id, broker.shop.id.toUpperCase(), otherMerchantId, approval, reference, payload, `${payload}!`],
    ...Object.values(theirs),
    ...[
      broker.ben.phone,
      "pay",
      "recharge",
      "quota",
      "https://shop.example",
      "default",
      "2026-03",
      { demo: true },
      true,
    ],
    ...["5", 5, 0.01, 9e12, 30],
  ];
  own = {
    createSession: { kind: "pay", amount: 5, origin: "https://other.example" },
    confirmApproval: { payee: "Café La Esquina", amount: 5, reference, demo: true },
    createGrant: { merchant_id: otherMerchantId, proof: { demo: true } },
    putMyLimits: { payment: 100, proof: { demo: true } },
    myQr: { reference },
  };
  const { cookie = "" } = credentials.operator;
  const keys = Object.values(broker.demo.merchantKeys);
  secrets = [broker.entity.clientSecret, await broker.entity.accessToken(), cookie.split("=")[1] ?? "", ...keys];
  atFirst = await availableOf(broker.ben.id);
});
afterAll(() => fixture.broker.stop());

async function availableOf(userId: string): Promise<number> {
  return (await fixture.broker.entity.client.user({ query: { id: userId } })).body.quota_available ?? 0;
}

/** Everything that a refused request leaves as it was: the ledger, and the broker's records of who may do what. */
async function everything(): Promise<unknown> {
  const [counts] = await fixture.broker.sql`
    select (select count(*) from broker.grants where revoked_at is null) as grants,
      (select count(*) from broker.merchants where disabled_at is null) as merchants,
      (select count(*) from broker.merchant_keys) as keys, (select count(*) from broker.merchant_origins) as origins,
      (select count(*) from broker.merchant_changes) as changes, (select count(*) from broker.passkeys) as passkeys,
      (select count(*) from broker.people) as people, (select count(*) from broker.sign_in_sessions) as sessions,
      (select count(*) from broker.enrolments) as enrolments, (select count(*) from broker.freezes) as freezes,
      (select count(*) from broker.recharges) as recharges, (select count(*) from broker.approvals) as approvals,
      (select count(*) from broker.own_limits) as limits, (select count(*) from broker.widget_sessions) as widgets,
      (select count(*) from broker.push_subscriptions) as subscriptions`;
  return { ledger: await standing(fixture.broker.service), counts: { ...counts } };
}

interface Sent {
  readonly path?: string;
  readonly query?: string | Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The credentials of a kind of principal; a person who may be signed out or frozen where that is asked for. */
function credentialsOf(kind: PrincipalKind, name: BrokerOperationName): Readonly<Record<string, string>> {
  return name === "signOut" || name === "freezeMe" ? fixture.freezing : fixture.credentials[kind];
}

async function send(kind: PrincipalKind, name: BrokerOperationName, sent: Sent): Promise<Response> {
  requests += 1;
  const row: Operation = brokerContract[name];
  const { path = foreignRequest(fixture, name).path.split("?")[0], query = {}, body, headers = {} } = sent;
  const search = new URLSearchParams(query).toString();
  return fixture.broker.fetch(`${ORIGIN}${path}${search === "" ? "" : `?${search}`}`, {
    method: row.method,
    headers: {
      ...{ "x-cupo-request": "1", "idempotency-key": `k${requests}` },
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...credentialsOf(kind, name),
      ...headers,
    },
    ...(body === undefined || row.method === "GET" ? {} : { body }),
  });
}

/** Sees that a request was carried out as declared, or refused by a problem document with a declared code, no 5xx. */
async function expectHonest(name: BrokerOperationName, response: Response): Promise<boolean> {
  const row: Operation = brokerContract[name];
  const text = await response.clone().text();
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  if (response.status === row.status) {
    done += 1;
    return true;
  }
  const { code, status } = JSON.parse(text) as Problem;
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect([...errorsOf(row), "not_found"]).toContain(code);
  expect({ code, status }).toEqual({ code, status: errorCodes[code].status });
  expect({ code, isFault: status >= 500 }).toEqual({ code, isFault: false });
  return false;
}

/** Fields that a request may have as they stand, as far as the fixture has such things. */
function properFields(name: BrokerOperationName): Readonly<Record<string, unknown>> {
  const { path, body } = foreignRequest(fixture, name);
  return { ...Object.fromEntries(new URLSearchParams(path.split("?")[1])), ...body, ...own[name] };
}

/** The row's path with anything for its parameters that a path can hold. */
function pathsOf(row: Operation, name: BrokerOperationName): fc.Arbitrary<string> {
  const value = oddValue([...near, NOBODY])
    .map((each) => encodeURIComponent(Object.values(queryOf({ each }))[0]?.toWellFormed() ?? ""))
    .filter((each) => !["", ".", "..", "%2e", "%2E"].includes(each));
  const filled = value.map((each) => row.path.replace(/:\w+/g, each));
  const proper = [row.path.replace(/:\w+/g, approval), foreignRequest(fixture, name).path.split("?")[0] ?? ""];
  return fc.oneof({ arbitrary: fc.constantFrom(...proper), weight: 2 }, filled);
}

describe.each(PAIRS)("a %s that sends anything to %s", (kind, name) => {
  const row: Operation = brokerContract[name];

  it("is answered honestly, and moves nothing when refused", async () => {
    let before = await everything();
    const fields = fc.oneof(oddFields(row, oddValue(near)), bentFields(row, properFields(name), oddValue(near)));
    const property = fc.asyncProperty(pathsOf(row, name), fields, async (path, odd) => {
      const sent = row.body === undefined ? { path, query: queryOf(odd) } : { path, body: JSON.stringify(odd) };
      const carriedOut = await expectHonest(name, await send(kind, name, sent));
      const after = await everything();
      if (!carriedOut) expect(after).toEqual(before);
      before = after;
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  if (row.body !== undefined)
    it("is not obeyed for any text or bytes for a body", async () => {
      const before = await everything();
      const property = fc.asyncProperty(brokenBody, async (body) => {
        expect(await expectHonest(name, await send(kind, name, { body }))).toBe(false);
      });
      await fc.assert(property, { numRuns: RUNS });
      expect(await everything()).toEqual(before);
    });

  it("is answered honestly for any query and header", async () => {
    const body = row.body === undefined ? {} : { body: JSON.stringify(properFields(name)) };
    const property = fc.asyncProperty(
      anyQuery,
      headerValue,
      headerValue,
      headerValue,
      async (query, accept, type, key) => {
        const headers = { accept, "content-type": type, "idempotency-key": key };
        await expectHonest(name, await send(kind, name, { ...body, query, headers }));
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
});

it("takes nothing of a person whose credentials none of the requests had", async () => {
  expect(await availableOf(fixture.broker.ben.id)).toBeGreaterThanOrEqual(atFirst);
});

it(`sends at least ${LEAST_REQUESTS} requests in all, some of which are carried out`, () => {
  expect(requests).toBeGreaterThanOrEqual(LEAST_REQUESTS);
  expect(done).toBeGreaterThan(requests / 20);
});
