import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Operation } from "../../src/contract/operation.ts";
import { serviceContract } from "../../src/contract/service.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type OperationName, problemOf, type RawClient, rawClient, standing } from "../support/service-calls.ts";

const RUNS = 205;
/** Fewer than these are a contract that lost rows, or properties that send nothing. */
const LEAST_REQUESTS = 28_505;
const NAMES = Object.keys(serviceContract) as OperationName[];

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;
let reference: string;
let payload: string;
/** Secrets that no answer may hold. */
let secrets: readonly string[];
let requests = 0;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  const send = await rawClient(service, fintech);
  raw = (name, call) => {
    requests += 1;
    return send(name, call);
  };
  secrets = [fintech.clientSecret, Buffer.from(service.key).toString("base64"), await fintech.accessToken()];
  [ana, shop] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech)).id];
  const { body } = await fintech.client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
  [reference, payload] = [body.reference ?? "", body.payload];
});
afterAll(() => service.stop());

/** The names that an operation's body or query has. */
function namesOf(row: Operation): string[] {
  const schema = (row.body ?? row.query) as { readonly entries?: object } | undefined;
  return Object.keys(schema?.entries ?? {});
}

/** Values that are nearly right, and values that are not. */
const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "null",
    "NaN",
    "1e400",
    "-0",
    "__proto__",
    "2026-02-30",
    "9999-12-31T23:59:59-23:59",
  ),
  fc.constantFrom(
    "+57 300 000 0000",
    "0".repeat(300),
    "'; drop table users; --",
    "%00",
    "../..",
    "data:image/png;base64,A",
  ),
);
const near = (): fc.Arbitrary<unknown> =>
  fc.constantFrom<unknown>(
    ana,
    shop.toUpperCase(),
    reference,
    payload,
    `${payload.slice(0, -1)}!`,
    "default",
    "approved",
    "2900-01-01",
    "5",
    5,
    0.01,
    9e12,
    30,
  );
/** Payments of a batch, or nearly. */
const someItems = (): fc.Arbitrary<unknown> =>
  fc.array(
    fc.record({ amount: near(), to_user_id: near(), details: fc.jsonValue(), toString: near() }, { requiredKeys: [] }),
    { maxLength: 3 },
  );
const oddValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: near(), weight: 6 },
    someItems(),
    oddText,
    fc.double(),
    fc.maxSafeInteger(),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constant(null),
  );

function sentFields(row: Operation, value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const known = namesOf(row).map((name) => fc.tuple(fc.constant(name), value));
  const unknown = fc.tuple(fc.oneof(oddText, fc.constantFrom("id", "quota", "constructor")), value);
  const picked = known.map((each) => fc.option(each, { nil: undefined, freq: 4 }));
  return fc
    .tuple(fc.tuple(...picked), fc.option(unknown, { nil: undefined, freq: 2 }))
    .map(([fields, extra]) => Object.fromEntries([...fields, extra].filter((each) => each !== undefined)));
}

/** Whatever was sent: done and declared so, or a problem document with a declared code; never a 5xx but 501. */
async function expectHonest(name: OperationName, response: Response): Promise<boolean> {
  const row: Operation = serviceContract[name];
  const text = await response.clone().text();
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  if (response.status === row.status) return true;
  const { code, status } = await problemOf(response);
  expect(errorsOf(row)).toContain(code);
  expect([status < 500 || status === 501, code]).toEqual([true, code]);
  return false;
}

describe.each(NAMES)("%s, sent anything,", (name) => {
  const row: Operation = serviceContract[name];

  it("answers honestly, and moves nothing when it refuses", async () => {
    let before = await standing(service);
    const property = fc.asyncProperty(sentFields(row, oddValue()), async (fields) => {
      const call = row.body === undefined ? { query: queryOf(fields) } : { body: fields };
      const done = await expectHonest(name, await raw(name, call));
      const after = await standing(service);
      if (!done) expect(after).toEqual(before);
      before = after;
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  if (row.body !== undefined)
    it("is not moved by any text or bytes for a body", async () => {
      const before = await standing(service);
      const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Uint8Array.from(array));
      const broken = fc.oneof(
        bytes,
        fc.string({ unit: "binary" }),
        fc.json().map((json) => json.slice(0, -1)),
        // A body without a required field may be empty.
        fc.json().filter((json) => json !== "{}"),
      );
      await fc.assert(
        fc.asyncProperty(broken, async (text) => {
          expect(await expectHonest(name, await raw(name, { text }))).toBe(false);
        }),
        { numRuns: RUNS },
      );
      expect(await standing(service)).toEqual(before);
    });

  it("is not moved by any query or header", async () => {
    const before = await standing(service);
    const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    const query = fc.oneof(fc.webQueryParameters(), header);
    await fc.assert(
      fc.asyncProperty(query, header, header, header, async (search, accept, type, key) => {
        const headers = { accept, "content-type": type, "idempotency-key": key };
        await expectHonest(name, await raw(name, { query: search.replaceAll("#", ""), headers, body: {} }));
      }),
      { numRuns: RUNS },
    );
    expect(await standing(service)).toEqual(before);
  });
});

/** Fields as a query, what is no text as its JSON. */
function queryOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value : String(JSON.stringify(value)),
  ]);
  return Object.fromEntries(texts);
}

it(`sends at least ${LEAST_REQUESTS} requests in all`, () => {
  expect(requests).toBeGreaterThanOrEqual(LEAST_REQUESTS);
});
