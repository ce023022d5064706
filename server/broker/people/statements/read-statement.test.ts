import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { grantedService } from "../../access/policy/gate.ts";
import type { NamedUser } from "../contacts/tell-names.ts";
import { createPartyNames, NAMELESS } from "../history/party-names.ts";
import type { AccountEntry, StatementService } from "./account-lines.ts";
import { periodOf, readStatement } from "./read-statement.ts";

const [ME, OTHER] = ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"];
const [MARCH, PAYMENT] = [periodOf("2026-03"), { kind: "transaction", transaction_kind: "payment" } as const];

type Query = Readonly<Record<string, string>>;

function anEntry(amount: number, balance: number, change: Partial<AccountEntry> = {}): AccountEntry {
  return {
    ...{ posting_id: OTHER, day: "2026-03-10", reference: "7K3M9QXT2V4FW", kind: "deposit" as const },
    ...{ amount, balance_after: balance, created_at: "2026-03-10T10:00:00.000Z" },
    ...change,
  };
}

/** A service that knows no user any more, behind the policy: its refusal must still pass there. */
const nobodyKnown = {
  call: () => Promise.reject(new ApiError("user_not_found")),
} as unknown as Parameters<typeof grantedService>[0];
const me = { kind: "person", personId: ME, userId: ME, method: "passkey", sessionHash: new Uint8Array() } as const;

/** A service with these pages of the account, which records its queries. */
function aService(pages: readonly (readonly AccountEntry[])[], opening_balance: number, closing_balance: number) {
  const asked: Query[] = [];
  const accountStatement = async (query: Query) => {
    asked.push(query);
    const index = Number(query.cursor ?? 0);
    const nextCursor = index + 1 < pages.length ? String(index + 1) : undefined;
    return { body: { final: true, opening_balance, closing_balance, entries: pages[index] ?? [] }, nextCursor };
  };
  const { user } = grantedService(nobodyKnown, me, "myStatement");
  return { service: { accountStatement, user } as unknown as StatementService, asked };
}

function read(service: StatementService, max = 100) {
  const names = createPartyNames({ now: () => 0 });
  const tell = async () => (other: NamedUser) => (other.inFull ? other.name : "masked");
  return readStatement(service, MARCH, { names, tell, digits: 2, max });
}

describe("a statement's month", () => {
  it.each([
    ["2026-12", "2026-12-01", "2026-12-31"],
    ["2028-02", "2028-02-01", "2028-02-29"],
  ])("%s goes from its first day through its last", (month, fromDay, toDay) => {
    expect(periodOf(month)).toEqual({ fromDay, toDay });
  });
});

describe("a statement's movements", () => {
  it("are read page by page with the balances at both ends, and add up", async () => {
    const { service, asked } = aService(
      [[anEntry(50.25, 150.25), anEntry(-20, 130.25)], [anEntry(1, 131.25)]],
      100,
      131.25,
    );
    expect(await read(service)).toMatchObject({
      ...{ final: true, opening_balance: 100, money_in: 51.25, money_out: 20, closing_balance: 131.25 },
      movements: [{ amount: 50.25 }, { amount: -20 }, { amount: 1 }],
    });
    const days = { "from-day": "2026-03-01", "to-day": "2026-03-31", limit: "500" };
    expect(asked).toEqual([days, { ...days, cursor: "1" }]);
  });

  it.each([
    ["the closing balance is another", [anEntry(50, 150)], 100, 151],
    ["the opening balance is another", [anEntry(50, 150)], 99, 150],
    ["an entry leaves another balance", [anEntry(50, 151), anEntry(-1, 149)], 100, 149],
    ["there are none, and the balance changed", [], 100, 101],
  ])("are not shown where %s", async (_what, entries, opening, closing) => {
    const { service } = aService([entries], opening, closing);
    await expect(read(service)).rejects.toMatchObject({ name: "StatementMismatchError" });
  });

  it("are refused when they are more than can be answered, before the rest is read", async () => {
    const page = [anEntry(1, 1), anEntry(1, 2)];
    const { service, asked } = aService([page, page, page], 0, 6);
    await expect(read(service, 3)).rejects.toMatchObject({ name: "TooManyMovementsError" });
    expect(asked).toHaveLength(2);
  });

  it("split a discharge into what repaid credits and what was paid out, each with the balance after it", async () => {
    const entries = [
      anEntry(-30, 70, { kind: "discharge", paid_out: "10.5" }),
      anEntry(-20, 50, { kind: "discharge", paid_out: "20" }),
      anEntry(-5, 45, { kind: "discharge", paid_out: "0" }),
    ];
    const { movements } = await read(aService([entries], 100, 45).service);
    expect(movements.map(({ kind, amount, balance_after }) => [kind, amount, balance_after])).toEqual([
      ["repayment", -19.5, 80.5],
      ["payout", -10.5, 70],
      ["payout", -20, 50],
      ["repayment", -5, 45],
    ]);
  });

  it("name in full businesses and whoever paid; a refund and money that was sent give no right to a name", async () => {
    const luz = { ...PAYMENT, counterparty: "Luz Ochoa", counterparty_id: OTHER };
    const entries = [
      anEntry(-1, 99, { ...luz, transaction_kind: "recharge" }),
      anEntry(1, 100, { ...luz, transaction_kind: "refund" }),
      anEntry(-1, 99, luz),
      anEntry(1, 100, { ...luz, transaction_kind: "recharge" }),
      anEntry(1, 101, luz),
      anEntry(-1, 100, { ...luz, counterparty_business_name: "Tienda Luz" }),
    ];
    const { movements } = await read(aService([entries], 100, 100).service);
    const named = movements.map(({ counterparty }) => counterparty);
    expect(named).toEqual(["masked", "masked", "masked", "Luz Ochoa", "Luz Ochoa", "Tienda Luz"]);
  });

  it("have a neutral word for the name of a user who is no more", async () => {
    const entry = anEntry(5, 5, { kind: "transfer", counterparty_id: OTHER });
    const { movements } = await read(aService([[entry]], 0, 5).service);
    expect(movements.map(({ counterparty }) => counterparty)).toEqual([NAMELESS]);
  });
});
