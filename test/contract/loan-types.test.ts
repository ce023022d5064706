import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLoanType, businessDay, lend } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, problemOf, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

const builtIn = [
  {
    loan_type: "default",
    built_in: true,
    terms: { annual_rate_bps: 0, day_basis: 365, after_due: "continue", arrear_after: 0, default_after: 90 },
  },
  { loan_type: "deposit", built_in: true, terms: null },
];

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

async function listed(entity: TestEntity) {
  return (await entity.client.loanTypes({})).body;
}

const put = (loan_type: string, body: object) => raw("putLoanType", { params: { loan_type }, body });

describe("loan-types", () => {
  it("are default and deposit for an entity that made none", async () => {
    expect(await listed(await service.anEntity())).toEqual(builtIn);
  });

  it("leave a record of who made or changed them", async () => {
    const { client, clientId, entityId } = await service.anEntity();
    const body = { annual_rate_bps: 2_400, after_due: "stop" } as const;
    await client.putLoanType({ params: { loan_type: "told" }, body });
    const records = await service.sql`
      select made_by, action, outcome from service.access_records where subject = ${`${entityId}/told`}`;
    expect([...records]).toEqual([{ made_by: clientId, action: "putLoanType", outcome: "done" }]);
  });

  it("are made and replaced by PUT, each field that is left out by its default", async () => {
    const entity = await service.anEntity();
    const { client } = entity;
    const full = {
      annual_rate_bps: 2_400,
      day_basis: 360,
      after_due: "stop",
      arrear_after: 3,
      default_after: 60,
    } as const;
    const { body: made, status } = await client.putLoanType({ params: { loan_type: "micro-30" }, body: full });
    expect([status, made]).toEqual([200, { loan_type: "micro-30", built_in: false, terms: full }]);
    await client.putLoanType({ params: { loan_type: "Zebra_1" }, body: full });
    const short = { annual_rate_bps: 100_000, after_due: "continue" } as const;
    const { body: replaced } = await client.putLoanType({ params: { loan_type: "micro-30" }, body: short });
    expect(replaced.terms).toEqual({ ...short, day_basis: 365, arrear_after: 0, default_after: 90 });
    expect(await listed(entity)).toEqual([
      ...builtIn,
      { loan_type: "Zebra_1", built_in: false, terms: full },
      replaced,
    ]);
  });

  it("are each entity's own", async () => {
    const [one, two] = [await service.anEntity(), await service.anEntity()];
    await aLoanType(one, "mine");
    expect(await listed(two)).toEqual(builtIn);
    const ana = await aUser(two);
    const body = { id: ana.id, amount: "1", loan_type: "mine", payment_date: businessDay(service) };
    await expect(two.client.addQuota({ body })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("give a credit the terms of its day: a later change leaves it alone", async () => {
    const ana = await aUser(fintech);
    await aLoanType(fintech, "moving", { annual_rate_bps: 100, day_basis: 360, arrear_after: 5 });
    const before = await lend(fintech, ana.id, "10", { loan_type: "moving", payment_date: businessDay(service) });
    await aLoanType(fintech, "moving", { annual_rate_bps: 200, after_due: "stop" });
    const after = await lend(fintech, ana.id, "10", { loan_type: "moving", payment_date: businessDay(service) });
    const { body: credits } = await fintech.client.credits({ query: { "loan-product": "moving" } });
    expect(credits.map(({ id, terms }) => [id, terms])).toEqual([
      [after.id, { annual_rate_bps: 200, day_basis: 365, after_due: "stop", arrear_after: 0, default_after: 90 }],
      [before.id, { annual_rate_bps: 100, day_basis: 360, after_due: "continue", arrear_after: 5, default_after: 90 }],
    ]);
  });

  it("are named by add-quota where it is asked for another", async () => {
    const entity = await service.anEntity();
    await aLoanType(entity, "b");
    await aLoanType(entity, "a");
    const body = { id: NOBODY, amount: "1", loan_type: "c", payment_date: businessDay(service) };
    const problem = await problemOf(await (await rawClient(service, entity))("addQuota", { body }));
    expect(problem.errors).toEqual([{ pointer: "/loan_type", detail: "must be one of default, deposit, a, b" }]);
  });

  it("are at most a hundred, also when two are made at once; those there are can still be replaced", async () => {
    const entity = await service.anEntity();
    const its = await rawClient(service, entity);
    const body = { annual_rate_bps: 1, after_due: "stop" };
    const answers = await Promise.all(
      times(103, (n) => its("putLoanType", { params: { loan_type: `type-${n}` }, body })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(await Promise.all(refused.map(refusalOf))).toEqual(times(3, () => ["loan_type_limit"]));
    const own = (await listed(entity)).slice(builtIn.length);
    expect(own).toHaveLength(100);
    const [first] = own;
    const again = await its("putLoanType", { params: { loan_type: first?.loan_type ?? "" }, body });
    expect(again.status).toBe(200);
  });
});

describe("PUT /loan-types/{loan_type} refuses, in order", () => {
  const proper = { annual_rate_bps: 2_400, after_due: "continue" };
  const cases: readonly (readonly [string, string, object, ...string[]])[] = [
    ["a name that none can have", "micro 30", { annual_rate_bps: -1 }, "not_found"],
    ["a name of 41 characters", "x".repeat(41), {}, "not_found"],
    [
      "no rate and no word on what is after the due date",
      "x",
      { annual_rate_bps: undefined, after_due: undefined },
      "invalid_request",
      "/after_due",
      "/annual_rate_bps",
    ],
    ["a rate below zero", "x", { annual_rate_bps: -1 }, "invalid_request", "/annual_rate_bps"],
    ["a rate above 1000 %", "x", { annual_rate_bps: 100_001 }, "invalid_request", "/annual_rate_bps"],
    ["a fraction of a basis point", "x", { annual_rate_bps: 0.5 }, "invalid_request", "/annual_rate_bps"],
    ["another day basis", "x", { day_basis: 364 }, "invalid_request", "/day_basis"],
    [
      "thresholds that are none",
      "x",
      { arrear_after: -1, default_after: 1.5 },
      "invalid_request",
      "/arrear_after",
      "/default_after",
    ],
    ["default before arrear", "x", { arrear_after: 31, default_after: 30 }, "invalid_request", ""],
    ["arrear after the default of default_after", "x", { arrear_after: 91 }, "invalid_request", ""],
    [
      "a field of the answer, and one that is unknown",
      "x",
      { built_in: false, rate: 1 },
      "invalid_request",
      "/built_in",
      "/rate",
    ],
    ["wrong terms before a built-in type", "deposit", { annual_rate_bps: -1 }, "invalid_request", "/annual_rate_bps"],
    ["the built-in default", "default", {}, "loan_type_built_in"],
    ["the built-in deposit", "deposit", {}, "loan_type_built_in"],
  ];
  it.each(cases.map(([law, name, change, ...refusal]) => ({ law, name, change, refusal })))(
    "$law",
    async ({ name, change, refusal }) => {
      const before = await listed(fintech);
      expect(await refusalOf(await put(name, { ...proper, ...change }))).toEqual(refusal);
      expect(await listed(fintech)).toEqual(before);
    },
  );
});
