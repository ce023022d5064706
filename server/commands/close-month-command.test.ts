import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { commandSettings } from "../../test/support/command-settings.ts";
import { machineOf } from "../../test/support/invented-clock.ts";
import { aTokenFixture, type TokenFixture } from "../../test/support/token-fixture.ts";
import { createEntity } from "../service/api-clients/api-clients.ts";
import { closeMonthCommand } from "./close-month-command.ts";
import { type CommandOutput, UsageError } from "./terminal-command.ts";

let fixture: TokenFixture;
beforeEach(async () => {
  fixture = await aTokenFixture();
});
afterEach(() => fixture.drop());

const SECONDS_OF_FORTY_DAYS = 40 * 24 * 60 * 60;

function command(...args: readonly string[]): Promise<CommandOutput> {
  return closeMonthCommand.plan(args)({
    ...{ ...fixture, ...commandSettings, machine: machineOf(fixture.clock) },
    ...{ random: randomBytes, newId: () => v7() },
  });
}

it("closes what is over, of every entity, and tells it once", async () => {
  const ids = [v7(), v7()];
  for (const id of ids)
    await fixture.sql.begin((tx) => createEntity(tx, { id, name: "Fintech", now: fixture.clock() }));
  expect((await command()).text).toBe("Every month through 2026-02 is closed already.");
  fixture.clock.advance(SECONDS_OF_FORTY_DAYS);
  const { text, data } = await command();
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(data).toEqual(ids.map((id) => ({ entity_id: id, month: "2026-04", sha256: hash })));
  for (const id of ids) expect(text).toContain(id);
  expect(await fixture.sql`select from service.month_closes`).toHaveLength(4);
  expect(await command()).toEqual({ text: "Every month through 2026-04 is closed already.", data: [] });
});

it("takes no words", () => {
  expect(() => command("2026-03")).toThrow(UsageError);
});
