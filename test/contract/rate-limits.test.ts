import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anApiClient, tokenFor } from "../support/api-client-calls.ts";
import { aService, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, problemOf, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

const QUOTA = 6;
/** Seconds until one more request is there. */
const REFILL = 60 / QUOTA;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService({ rateLimit: QUOTA });
});
beforeEach(async () => {
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

const ask = (call = raw) => call("user", { query: { id: NOBODY } });

/** Reads `RateLimit`: the requests that are left, and the seconds until all are there again. */
function left(response: Response): readonly number[] {
  const found = /^"default";r=(\d+);t=(\d+)$/.exec(response.headers.get("ratelimit") ?? "");
  return (found ?? []).slice(1).map(Number);
}

async function exhaust(call = raw): Promise<void> {
  for (const response of await Promise.all(times(QUOTA, () => ask(call)))) expect(response.status).toBe(404);
}

/** Calls of one client of the entity. */
async function clientOf(client: Awaited<ReturnType<typeof anApiClient>>): Promise<RawClient> {
  return rawClient(service, { ...fintech, accessToken: async () => (await tokenFor(service, client)) ?? "" });
}

describe("an API client's limit", () => {
  it("is told with every answer: the quota and its window, and what is left", async () => {
    for (const used of [1, 2, 3]) {
      const response = await ask();
      expect(response.headers.get("ratelimit-policy")).toBe(`"default";q=${QUOTA};w=60`);
      expect(left(response)).toEqual([QUOTA - used, REFILL * used]);
    }
    const { headers } = await raw("createUser", { text: "{" });
    expect(headers.get("ratelimit")).toMatch(`r=${QUOTA - 4}`);
  });

  it("answers 429 past it, before the request is looked at, and says when to come back", async () => {
    await exhaust();
    const response = await raw("createUser", { text: "{", headers: { accept: "text/html" } });
    expect(response.headers.get("retry-after")).toBe(`${REFILL}`);
    expect(left(response)).toEqual([0, 60]);
    expect((await problemOf(response)).code).toBe("too_many_requests");
  });

  it("lets one more through after that time, and all of them after a minute", async () => {
    await exhaust();
    service.advance(REFILL);
    expect((await ask()).status).toBe(404);
    expect((await ask()).status).toBe(429);
    service.advance(60);
    await exhaust();
  });

  it("is each client's own: not its entity's, nor its token's", async () => {
    const second = await anApiClient(fintech);
    await exhaust(await clientOf(second));
    expect((await ask(await clientOf(second))).status).toBe(429);
    expect((await ask()).status).toBe(404);
  });

  it("is four times as much for all clients of an entity together, however many it makes", async () => {
    for (const _ of times(3, (n) => n)) await exhaust(await clientOf(await anApiClient(fintech)));
    // Making four took from the limit of the first one.
    const fifth = await clientOf(await anApiClient(fintech));
    for (const response of await Promise.all(times(2, () => ask(fifth)))) expect(response.status).toBe(404);
    const refused = await ask(fifth);
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, `"entity";q=${4 * QUOTA};w=60`]);
    expect((await ask(await rawClient(service, await service.anEntity()))).status).toBe(404);
  });

  it("does not hinder the token endpoint, which has limits of its own", async () => {
    await exhaust();
    await expect(fintech.accessToken()).resolves.toMatch(/^ey/);
  });

  it("moves nothing that it refuses, and keeps no answer for its idempotency key", async () => {
    await exhaust();
    const body = { name: "Ana", nit: "limit-1", phone: "3001234567" };
    const send = () => raw("createUser", { body, headers: { "idempotency-key": "late" } });
    expect(await refusalOf(await send())).toEqual(["too_many_requests"]);
    service.advance(60);
    const made = await send();
    expect([made.status, made.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });
});
