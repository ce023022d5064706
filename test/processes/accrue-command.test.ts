import { afterAll, beforeAll, expect, it } from "vitest";
import { aLoanType, businessDay, creditById, lend } from "../support/credit-calls.ts";
import { npmRun } from "../support/run-command.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks } from "../support/service-calls.ts";

const DAY_SECONDS = 86_400;

let service: TestService;
let fintech: TestEntity;
let environment: Record<string, string>;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  environment = { DATABASE_URL: service.databaseUrl, CUPO_KEY: Buffer.from(service.key).toString("base64") };
});
afterAll(() => service.stop());

it("npm run accrue posts what days off left, beside a running service, and finds nothing the second time", async () => {
  // The command has the real clock: so the credit was given four days ago.
  service.advance(-4 * DAY_SECONDS);
  await aLoanType(fintech);
  const ana = await aUser(fintech);
  const { id } = await lend(fintech, ana.id, "1000", { payment_date: businessDay(service, 30) });
  service.advance(4 * DAY_SECONDS);
  const yesterday = businessDay(service, -1);
  const first = await npmRun("accrue", ["--json"], environment);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(first.out)).toEqual({ through: yesterday, amount: "3", currency: "COP" });
  const again = await npmRun("accrue", [], environment);
  expect(again).toEqual({ code: 0, err: "", out: `Nothing was missing up to ${yesterday}.\n` });
  expect(await creditById(fintech, id)).toMatchObject({ accrued_interest: 4, unpaid_interest: 4 });
  await expectSoundBooks(service);
});

it("npm run accrue says how it is used when it is given a word", async () => {
  const { code, out, err } = await npmRun("accrue", ["now"], environment);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('"now" is one word too many.\n\nUsage: npm run accrue');
});
