import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { businessDay, creditsOf, lend, openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { problemOf, type RawClient, rawClient, times } from "../support/service-calls.ts";

/** Look-ups by id in a minute; a refusal that tells of another entity's user counts as ten. */
const QUOTA = 20;

let service: TestService;
let ours: TestEntity;
let theirs: TestEntity;
let raw: RawClient;
let ana: Awaited<ReturnType<typeof aUser>>;
let own: Awaited<ReturnType<typeof aUser>>;
let drawn = 0;

beforeAll(async () => {
  service = await aService({ foreignLookUps: QUOTA });
});
beforeEach(async () => {
  [ours, theirs] = [await service.anEntity("Ours"), await service.anEntity("Theirs")];
  await openToLenders([ours]);
  raw = await rawClient(service, theirs);
  [ana, own] = [await aUser(ours, { quota: 50 }), await aUser(theirs, { quota: 50 })];
});
afterAll(() => service.stop());

/** A phone that nobody has. */
function freePhone(): string {
  drawn += 1;
  return `+57310${String(1_000_000 + drawn)}`;
}

/** A nit that nobody has. */
const freeNit = (): string => freePhone().slice(1);

async function records() {
  const rows = await service.sql<{ subject: string | null; outcome: string }[]>`
    select subject, outcome from service.access_records
    where made_by = ${theirs.clientId} and action = 'lookUpUser' order by id`;
  return rows.map(({ subject, outcome }) => [subject, outcome]);
}

async function codeOf(response: Response): Promise<string> {
  return response.ok ? "done" : (await problemOf(response)).code;
}

const register = async (body: { nit: string; phone: string }) =>
  codeOf(await raw("createUser", { body: { name: "Eva", ...body } }));
const change = async (body: object) => codeOf(await raw("updateUser", { body: { id: own.id, ...body } }));

describe("a registration that is refused for a nit or phone", () => {
  it("counts as a look-up, and leaves a record of whose they are", async () => {
    expect(await register({ nit: ana.nit, phone: freePhone() })).toBe("duplicate_user");
    expect(await register({ nit: own.nit, phone: freePhone() })).toBe("duplicate_user");
    expect(await records()).toEqual([
      [ana.id, "done"],
      [null, "user_not_found"],
      [null, "user_not_found"],
    ]);
    expect(await register({ nit: own.nit, phone: ana.phone })).toBe("too_many_requests");
  });

  it("is the same past the limit for one that would be refused and one that would not", async () => {
    await Promise.all(times(2, () => register({ nit: ana.nit, phone: ana.phone })));
    expect(await register({ nit: own.nit, phone: ana.phone })).toBe("too_many_requests");
    expect(await register({ nit: own.nit, phone: freePhone() })).toBe("too_many_requests");
    expect(await register({ nit: freeNit(), phone: freePhone() })).toBe("too_many_requests");
    service.advance(60);
    expect(await register({ nit: freeNit(), phone: freePhone() })).toBe("done");
  });

  it("counts in full however many come at once: what was too much is made up for", async () => {
    await Promise.all(times(8, () => register({ nit: ana.nit, phone: ana.phone })));
    service.advance(60);
    expect(await register({ nit: freeNit(), phone: freePhone() })).toBe("too_many_requests");
    service.advance(180);
    expect(await register({ nit: freeNit(), phone: freePhone() })).toBe("done");
  });

  it("counts for nothing where both are the entity's own users', and nor does one that is carried out", async () => {
    for (const _ of times(5, (n) => n)) {
      expect(await register({ nit: own.nit, phone: own.phone })).toBe("duplicate_user");
      expect(await register({ nit: freeNit(), phone: freePhone() })).toBe("done");
    }
    expect(await records()).toEqual([]);
  });
});

describe("a nit or phone that update-user gives a user", () => {
  it("counts as a look-up, taken or free, unless it is the entity's own user's", async () => {
    expect(await change({ phone: ana.phone })).toBe("duplicate_user");
    expect(await change({ phone: freePhone() })).toBe("done");
    expect([await change({ nit: ana.nit }), await change({ nit: freeNit() })]).toEqual(
      times(2, () => "too_many_requests"),
    );
    expect(await change({ nit: own.nit, name: "Eva" })).toBe("done");
    expect(await records()).toEqual([
      [ana.id, "done"],
      [null, "user_not_found"],
      [null, "too_many_requests"],
    ]);
  });
});

describe("a balance that is too small", () => {
  const discharge = (id: string, amount: string) => raw("dischargeQuota", { body: { id, amount } });
  const repay = (id: string, amount: string, source: string) => raw("repayCredit", { body: { id, amount, source } });

  beforeEach(async () => {
    await lend(theirs, ana.id, "100", { loan_type: "default", payment_date: businessDay(service, 1) });
    await ours.client.createTransaction({
      body: { amount: 120, from_user_id: ana.id, to_user_id: (await aUser(ours)).id },
    });
  });

  it("counts as a look-up where another entity's user has it, and past the limit nothing is taken at all", async () => {
    expect(await codeOf(await discharge(ana.id, "90"))).toBe("insufficient_balance");
    const [credit] = await creditsOf(theirs, ana.id);
    expect(await codeOf(await raw("cancelCredit", { body: { credit_id: credit?.id } }))).toBe("insufficient_balance");
    expect(await records()).toEqual([
      [ana.id, "done"],
      [ana.id, "done"],
    ]);
    for (const amount of ["90", "10"]) {
      expect(await codeOf(await discharge(ana.id, amount))).toBe("too_many_requests");
      expect(await codeOf(await repay(ana.id, amount, "quota"))).toBe("too_many_requests");
    }
    expect(await codeOf(await repay(ana.id, "1", "cash"))).toBe("done");
    expect(await codeOf(await discharge(own.id, "51"))).toBe("insufficient_balance");
    service.advance(60);
    expect(await codeOf(await repay(ana.id, "31", "quota"))).toBe("insufficient_balance");
    expect(await codeOf(await discharge(ana.id, "30"))).toBe("done");
  });

  it("is not told by a preview, which says what a sufficient one would give", async () => {
    const preview = (amount: string) => raw("previewDischargeQuota", { body: { id: ana.id, amount } });
    for (const amount of ["30", "31", "100"]) {
      const body = (await (await preview(amount)).json()) as Record<string, unknown>;
      expect(body).toMatchObject({ repaid_principal: amount, quota: null, quota_available: null });
    }
    expect(await codeOf(await preview("101"))).toBe("user_not_yours");
    expect(await codeOf(await raw("previewDischargeQuota", { body: { id: own.id, amount: "51" } }))).toBe(
      "insufficient_balance",
    );
    expect(await records()).toEqual([]);
  });
});
