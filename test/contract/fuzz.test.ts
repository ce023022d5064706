import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceContract } from "../../src/contract/service/service.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { anyQuery, brokenBody, headerValue, oddFields, oddValue, queryOf } from "../support/odd-requests.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type OperationName, problemOf, type RawClient, rawClient, standing } from "../support/service-calls.ts";

const RUNS = 205;
/** A smaller number means that the contract lost rows, or that properties send nothing. */
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

/** Ids, codes and amounts of this ledger, and their like. */
const near = () => [
  ...[ana, shop.toUpperCase(), reference, payload, `${payload.slice(0, -1)}!`],
  ...["default", "approved", "2900-01-01", "5", 5, 0.01, 9e12, 30],
];

/** Expects the declared status, or a problem document with a declared code, no 5xx but 501; true if it was done. */
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
    const property = fc.asyncProperty(oddFields(row, oddValue(near())), async (fields) => {
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
      await fc.assert(
        fc.asyncProperty(brokenBody, async (text) => {
          expect(await expectHonest(name, await raw(name, { text }))).toBe(false);
        }),
        { numRuns: RUNS },
      );
      expect(await standing(service)).toEqual(before);
    });

  it("is not moved by any query or header", async () => {
    const before = await standing(service);
    await fc.assert(
      fc.asyncProperty(anyQuery, headerValue, headerValue, headerValue, async (query, accept, type, key) => {
        const headers = { accept, "content-type": type, "idempotency-key": key };
        await expectHonest(name, await raw(name, { query, headers, body: {} }));
      }),
      { numRuns: RUNS },
    );
    expect(await standing(service)).toEqual(before);
  });
});

it(`sends at least ${LEAST_REQUESTS} requests in all`, () => {
  expect(requests).toBeGreaterThanOrEqual(LEAST_REQUESTS);
});
