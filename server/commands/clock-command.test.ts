import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { businessTime } from "../../src/business-time.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { accrueToday, aLoanType, businessDay, creditById, lend } from "../../test/support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../../test/support/service.ts";
import { expectSoundBooks } from "../../test/support/service-calls.ts";
import { clockCommand } from "./clock-command.ts";
import type { CommandOutput } from "./terminal-command.ts";

const THREE_DAYS = 3 * 24 * 60 * 60;

let service: TestService;
beforeEach(async () => {
  service = await aService();
  await aUser(await service.anEntity(), { quota: 10 });
});
afterEach(() => service.stop());

function command(...args: readonly string[]): Promise<CommandOutput> {
  const { sql, key, clock, machine } = service;
  const chance = { random: (length: number) => randomBytes(length), newId: () => v7() };
  return clockCommand.plan(args)({ sql, key, clock, ...chance, ...commandSettings, machine });
}

const today = (): string => businessTime(commandSettings.timeZone).dayOf(service.clock());

it("shows why accrual and closing are stopped, and starts them again with today's date", async () => {
  expect((await command("show")).data).toMatchObject({ standing: "go on" });
  service.jump(THREE_DAYS);
  await expect(service.clockWatch.requireSure()).rejects.toThrow("jumped ahead by 259200 s");
  expect((await command("show")).text).toContain("stopped: the wall clock jumped ahead by 259200 s");
  service.jump(-THREE_DAYS);
  await expect(command("confirm", "2020-01-01")).rejects.toThrow(`By this clock today is ${today()}, not 2020-01-01`);
  await expect(service.clockWatch.requireSure()).rejects.toThrow("Nothing is accrued or closed");
  expect((await command("confirm", today())).text).toContain("go on");
  await service.clockWatch.requireSure();
  const marks = await service.sql`select kind, note from service.clock_marks where kind <> 'seen' order by id`;
  expect([...marks]).toEqual([
    { kind: "strayed", note: "the wall clock jumped ahead by 259200 s" },
    { kind: "confirmed", note: "at the command line" },
  ]);
});

it("confirms no time while this clock and the database's are apart", async () => {
  service.stray(THREE_DAYS);
  await expect(command("confirm", today())).rejects.toThrow("set the wrong one right first");
});

it("takes back what a wrong clock accrued and closed, of every entity", async () => {
  const entities = [await service.anEntity("One"), await service.anEntity("Other")];
  const loans = entities.map(async (entity) => {
    await aLoanType(entity);
    const { id } = await aUser(entity);
    return lend(entity, id, "1000", { payment_date: businessDay(service, 60) });
  });
  const [loan] = await Promise.all(loans);
  const month = today().slice(0, 7);
  service.advance(40 * 24 * 60 * 60);
  for (const entity of entities) await entity.client.closeMonth({ body: { month } });
  await accrueToday(service);
  service.advance(-40 * 24 * 60 * 60);
  // 39 days that were over by that clock, of 1 a day on each credit.
  expect((await command("take-back")).data).toMatchObject({ credits: 2, amount: "78", left: [] });
  expect(await creditById(entities[0] as TestEntity, loan?.id ?? "")).toMatchObject({ accrued_interest: 0 });
  expect(await service.sql`select from service.closed_months`).toEqual([]);
  const made = await service.sql`select distinct made_by from service.month_reopenings`;
  expect([...made]).toEqual([{ made_by: "command line" }]);
  await expectSoundBooks(service);
});
