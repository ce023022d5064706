import { afterEach, expect, it, vi } from "vitest";
import { aDatabase } from "./database.ts";
import { RUN_PARTS } from "./run-parts.ts";

afterEach(() => vi.unstubAllEnvs());

it("a test that asks for a database where no run shares one fails, and says why", async () => {
  vi.stubEnv(RUN_PARTS, undefined);
  await expect(aDatabase()).rejects.toThrow("This test needs a database, and its project has none.");
});

it("a part that cannot be made fails each test that asks for it, with the reason", async () => {
  vi.stubEnv(RUN_PARTS, `${process.env[RUN_PARTS]}/elsewhere`);
  await expect(aDatabase()).rejects.toThrow("The run has no database: Error: there is no such part");
});
