import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, outcomeOf, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin } from "../../../test/support/ledger.ts";
import type { RepayCredit } from "../model/credit-commands.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

describe("what is read for a repayment", () => {
  it("is what may be owed, not every credit there ever was; a closed one that it names is known as such", async () => {
    const entity = await ledger.anEntity();
    const user = await ledger.aUser(entity, 100n);
    const repayment: RepayCredit = {
      ...{ type: "repay-credit", userId: user.id, creditId: undefined, amount: 100n },
      ...{ source: "cash", reference: "R" },
    };
    await ledger.post(entity, repayment);
    await ledger.grant(user, 50n);
    const credits = await ledger.sql<{ id: string; state: string }[]>`
      select id, state from service.credits where user_id = ${user.id} order by id`;
    expect(credits.map(({ state }) => state)).toEqual(["closed", "open"]);
    const [closed, open] = credits.map(({ id }) => id);

    const { state } = await ledger.writer.preview(aCommand(anOrigin(entity), { ...repayment, amount: 50n }));
    expect([...state.credits.keys()]).toEqual([open]);
    const ofClosed = { ...repayment, creditId: closed };
    expect(await outcomeOf(ledger.post(entity, ofClosed))).toBe("more_than_owed");
    const cancelled = { type: "cancel-credit", userId: user.id, creditId: String(closed), reference: "C" } as const;
    expect(await outcomeOf(ledger.post(entity, cancelled))).toBe("credit_not_open");
  });
});
