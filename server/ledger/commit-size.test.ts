import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, type TestLedger } from "../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../../test/support/ledger.ts";
import type { ImportCredit } from "./model/credit-commands.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

const NOW = new Date("2026-03-31T12:00:00Z");

function anImport(userId: string, accruedThrough: string): ImportCredit {
  const terms = { annualRateBps: 3650, dayBasis: 365, afterDue: "continue", arrearAfter: 0, defaultAfter: 90 } as const;
  const owed = { principal: 100_000n, outstanding: 100_000n, unpaidInterest: 0n };
  const days = { openedOn: "2025-01-01", dueDate: undefined, accruedThrough };
  return { type: "import-credit", userId, ...owed, loanType: "old", terms, ...days, reference: `import ${userId}` };
}

describe("what goes into one commit", () => {
  it("is bounded by the days whose interest imports lack: payments do not wait for a whole portfolio", async () => {
    const entity = await ledger.anEntity();
    const users = await Promise.all(Array.from({ length: 30 }, () => ledger.aUser(entity, 1n)));
    const commitsOf = async (accruedThrough: string): Promise<number> => {
      const writer = ledger.aWriter({ clock: () => NOW });
      const imports = users.map(({ id }) => aCommand(anOrigin(entity), anImport(id, accruedThrough)));
      await Promise.all(imports.map((command) => writer.post(command)));
      return writer.figures.commits;
    };
    expect(await commitsOf("2026-03-30")).toBe(1);
    expect(await commitsOf("2025-03-31")).toBe(5);
  });

  it("is bounded by the credits that are accrued", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 1n), await ledger.aUser(entity)];
    const credits = Array.from({ length: 200 }, () => ({ creditId: payer.id, userId: payer.id }));
    const writer = ledger.aWriter({ clock: () => NOW });
    await Promise.all([
      ...[1, 2, 3].map(() =>
        writer.post(aCommand(anOrigin(entity), { type: "accrue", through: "2026-03-30", credits })),
      ),
      writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n))),
    ]);
    expect(writer.figures.commits).toBe(2);
  });
});
