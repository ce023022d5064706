import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, outcomeOf, type TestLedger } from "../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aRegistration } from "../../test/support/ledger.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** A clock that leaps once a batch was decided: it is read for the day, under the locks, and before the commit. */
function leapingClock(leapMs: number): () => Date {
  const startMs = Date.now();
  let reads = 0;
  return () => new Date(++reads > 2 ? startMs + leapMs : startMs);
}

describe("a batch whose writing takes long after its ids were drawn", () => {
  const count = async (name: string): Promise<number> =>
    (await ledger.sql`select 1 from service.users where name = ${name}`).length;

  it("is committed within 30 s", async () => {
    const entity = await ledger.anEntity();
    const writer = ledger.aWriter({ clock: leapingClock(30_000) });
    const command = aCommand(anOrigin(entity), aRegistration(0n, { name: "In time" }));
    expect([await outcomeOf(writer.post(command)), await count("In time")]).toEqual(["done", 1]);
  });

  it("is given up after that, so that no list's sync token passes it by", async () => {
    const entity = await ledger.anEntity();
    const writer = ledger.aWriter({ clock: leapingClock(30_001) });
    const command = aCommand(anOrigin(entity), aRegistration(0n, { name: "Too late" }));
    expect([await outcomeOf(writer.post(command)), await count("Too late")]).toEqual(["unavailable", 0]);
  });
});
