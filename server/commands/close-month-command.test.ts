import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aTokenWorld, type TokenWorld } from "../../test/support/a-token-world.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { machineOf } from "../../test/support/invented-clock.ts";
import { createEntity } from "../service/api-clients/api-clients.ts";
import { closeMonthCommand } from "./close-month-command.ts";
import { type CommandOutput, UsageError } from "./terminal-command.ts";

let world: TokenWorld;
beforeEach(async () => {
  world = await aTokenWorld();
});
afterEach(() => world.drop());

const SECONDS_OF_FORTY_DAYS = 40 * 24 * 60 * 60;

function command(...args: readonly string[]): Promise<CommandOutput> {
  return closeMonthCommand.plan(args)({
    ...{ ...world, ...commandSettings, machine: machineOf(world.clock) },
    ...{ random: randomBytes, newId: () => v7() },
  });
}

it("closes what is over, of every entity, and tells it once", async () => {
  const ids = [v7(), v7()];
  for (const id of ids) await world.sql.begin((tx) => createEntity(tx, { id, name: "Fintech", now: world.clock() }));
  expect((await command()).text).toBe("Every month through 2026-02 is closed already.");
  world.clock.advance(SECONDS_OF_FORTY_DAYS);
  const { text, data } = await command();
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(data).toEqual(ids.map((id) => ({ entity_id: id, month: "2026-04", sha256: hash })));
  for (const id of ids) expect(text).toContain(id);
  expect(await world.sql`select from service.month_closes`).toHaveLength(4);
  expect(await command()).toEqual({ text: "Every month through 2026-04 is closed already.", data: [] });
});

it("takes no words", () => {
  expect(() => command("2026-03")).toThrow(UsageError);
});
