import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseQrPayload } from "../../src/qr-payload.ts";
import { anApiClient, tokenFor } from "../support/api-client-calls.ts";
import { businessDay } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, problemOf, type RawClient, rawClient, times } from "../support/service-calls.ts";

/** Look-ups by id in a minute; a look-up by nit or phone counts as ten. */
const QUOTA = 20;

let service: TestService;
let ours: TestEntity;
let theirs: TestEntity;
let raw: RawClient;
let ana: Awaited<ReturnType<typeof aUser>>;
let own: string;

beforeAll(async () => {
  service = await aService({ foreignLookUps: QUOTA });
});
beforeEach(async () => {
  [ours, theirs] = [await service.anEntity("Ours"), await service.anEntity("Theirs")];
  raw = await rawClient(service, theirs);
  [ana, own] = [await aUser(ours), (await aUser(theirs)).id];
});
afterAll(() => service.stop());

const look = (query: Record<string, string>) => raw("user", { query });
const statusOf = async (query: Record<string, string>) => (await look(query)).status;

async function records() {
  const rows = await service.sql<{ subject: string | null; outcome: string; request_id: string | null }[]>`
    select subject, outcome, request_id from service.access_records
    where made_by = ${theirs.clientId} and action = 'lookUpUser' order by id`;
  return rows.map(({ subject, outcome }) => [subject, outcome]);
}

describe("look-ups of users that the entity did not create", () => {
  it("are recorded, hits and misses alike, and those of its own are not", async () => {
    const { id, nit, phone } = ana;
    for (const query of [{ id }, { nit }, { id: NOBODY }]) await look(query);
    await look({ id: own });
    await ours.client.user({ query: { phone } });
    expect(await records()).toEqual([
      [id, "done"],
      [id, "done"],
      [null, "user_not_found"],
    ]);
  });

  it("leave the request's id in the record, and nothing of what was asked for", async () => {
    await look({ phone: "+573009998877" });
    const [record] = await service.sql`select * from service.access_records where made_by = ${theirs.clientId}`;
    expect(record).toMatchObject({ action: "lookUpUser", outcome: "user_not_found", request_id: expect.any(String) });
    expect(JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(
      "99988",
    );
  });

  it("end at the limit of the entity, for a hit and a miss with one answer, while its own users are told", async () => {
    expect(await Promise.all(times(QUOTA, (n) => statusOf({ id: n % 2 === 0 ? ana.id : NOBODY })))).toEqual(
      times(QUOTA, (n) => (n % 2 === 0 ? 200 : 404)),
    );
    const problems = [];
    for (const id of [ana.id, NOBODY]) {
      const response = await look({ id });
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
      const { request_id: _, ...problem } = await problemOf(response);
      problems.push(problem);
    }
    expect(problems[0]).toEqual(problems[1]);
    expect(problems[0]).toMatchObject({ code: "too_many_requests" });
    expect(await statusOf({ id: own })).toBe(200);
    const stranger = await service.anEntity("Third");
    expect((await stranger.client.user({ query: { id: ana.id } })).status).toBe(200);
    service.advance(3);
    expect(await statusOf({ id: ana.id })).toBe(200);
  });

  it("are counted for the entity, whichever of its clients makes them, however new it is", async () => {
    await Promise.all(times(QUOTA, () => look({ id: ana.id })));
    const second = await anApiClient(theirs);
    const headers = { authorization: `Bearer ${await tokenFor(service, second)}` };
    expect((await raw("user", { query: { id: ana.id }, headers })).status).toBe(429);
    expect((await raw("user", { query: { id: own }, headers })).status).toBe(200);
  });

  it("record one refusal a minute, so that refusals do not fill the records", async () => {
    await Promise.all(times(QUOTA + 10, () => look({ id: ana.id })));
    const refused = async () => (await records()).filter(([, outcome]) => outcome === "too_many_requests");
    expect(await refused()).toEqual([[null, "too_many_requests"]]);
  });

  it("count ten times by nit and by phone, which can be guessed", async () => {
    const { nit, phone } = ana;
    expect([await statusOf({ nit }), await statusOf({ phone }), await statusOf({ nit: "404" })]).toEqual([
      200, 200, 429,
    ]);
  });

  it("count as much where a nit is compared with that of an id, and the same for right and wrong", async () => {
    const { id, nit } = ana;
    const ask = async (tried: string) =>
      (await raw("previewDischargeQuota", { body: { id, nit: tried, amount: "1" } })).status;
    expect([await ask("404"), await ask(nit), await ask(nit), await ask("404")]).toEqual([400, 403, 429, 429]);
    expect(await records()).toEqual([
      [id, "done"],
      [id, "done"],
      [null, "too_many_requests"],
    ]);
    const body = { id: own, nit: "404", amount: "1" };
    expect((await raw("previewDischargeQuota", { body })).status).toBe(400);
  });

  it("count where a payment code is made for the user, which tells neither its nit nor its city", async () => {
    const { body: shop } = await ours.client.createUser({
      body: { name: "Ñ", nit: "77 1".replace(" ", ""), phone: "+573009990771", payment_data: { city: "Leticia" } },
    });
    const made = async (body: object) => raw("createTransactionQr", { body, headers: { accept: "application/json" } });
    const { payload } = (await (await made({ to_user_id: shop.id })).json()) as { payload: string };
    const parsed = parseQrPayload(payload, "co.qp");
    expect(parsed).toMatchObject({ kind: "cupo", fields: { payeeId: shop.id, payee: "N", city: "Bogota" } });
    expect(parsed).not.toHaveProperty("fields.payeeNit");
    expect((await made({ to_user_id: own })).status).toBe(201);
    expect((await made({ to_user_id: own, from_user_id: NOBODY, amount: 1 })).status).toBe(404);
    expect(await records()).toEqual([
      [shop.id, "done"],
      [null, "user_not_found"],
    ]);
    await Promise.all(times(QUOTA, () => look({ id: NOBODY })));
    expect((await made({ to_user_id: shop.id })).status).toBe(429);
  });

  it("count too where an operation on quota or credits names the user by nit alone", async () => {
    const terms = { amount: "1", loan_type: "default", payment_date: businessDay(service) };
    const bodies = [
      ["addQuota", terms],
      ["previewAddQuota", terms],
      ["dischargeQuota", { amount: "1" }],
      ["previewDischargeQuota", { amount: "1" }],
      ["repayCredit", { amount: "1", source: "cash" }],
      ["importCredit", { principal: "1", loan_type: "default", opened_on: businessDay(service) }],
    ] as const;
    for (const [operation, body] of bodies) {
      const client = await rawClient(service, await service.anEntity());
      const answers = await Promise.all(times(3, () => client(operation, { body: { ...body, nit: "404" } })));
      expect([operation, ...answers.map(({ status }) => status).sort()]).toEqual([operation, 404, 404, 429]);
      const { status } = await client(operation, { body: { ...body, id: NOBODY } });
      expect([operation, status]).toEqual([operation, 404]);
    }
  });
});
