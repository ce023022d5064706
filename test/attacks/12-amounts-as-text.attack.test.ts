import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

type Money = typeof import("../../src/money.ts");
type Format = typeof import("../../pwa/format/money-format.ts") & {
  /** The name of `useNotationOf` in earlier versions. */
  readonly useCustomsOf?: (language: "en") => void;
};

let target: Target;
let fintech: EntityCaller;
let user: string;

beforeAll(async () => {
  target = await Target.start();
  fintech = await target.entity("Fintech");
  user = await fintech.aUser({ quota: 100_000 });
});
afterAll(() => target?.remove());

const grant = (amount: unknown) =>
  fintech.post("/add-quota", { id: user, amount, loan_type: "default", payment_date: "2900-01-01" });

/** The sum that a request moved of the user's quota. */
async function movedBy(send: () => Promise<unknown>): Promise<number> {
  const before = await fintech.available(user);
  await send();
  return (await fintech.available(user)) - before;
}

describe("12: an amount that comes as text", () => {
  attack("is assigned as 5 where five thousand are written", async () => {
    expect(await movedBy(() => grant("5.000"))).toBe(0);
  });

  attack("is discharged as 25 where twenty-five thousand are written", async () => {
    expect(await movedBy(() => fintech.post("/discharge-quota", { id: user, amount: "25.000" }))).toBe(0);
  });

  attack("is repaid as 5 where five thousand are written", async () => {
    expect(await movedBy(() => fintech.post("/repay-credit", { id: user, amount: "5.000", source: "quota" }))).toBe(0);
  });

  attack("is read as 5 by the client library", async () => {
    const { parseAmount } = await Target.load<Money>("src/money.ts");
    let read: bigint | undefined;
    try {
      read = parseAmount("5.000", 2);
    } catch (error) {
      expect((error as Error).message).toContain("5000");
    }
    expect(read).toBeUndefined();
  });

  attack("sets a merchant's limit to 200 where two hundred thousand are written", async () => {
    const { users } = target.product.demo;
    await target.command(
      ...["merchant", "create", "--user-id", users.merchant.id, "--name", "Limit"],
      ...["--origin", "https://limit.example", "--open-amount-limit", "200.000"],
    );
    const { out } = await target.command("merchant", "list", "--json");
    const limits = (JSON.parse(out) as { open_amount_limit: number | null }[]).map((each) => each.open_amount_limit);
    expect(limits).not.toContain(200);
  });

  attack("is paid as 1 where -1 is pasted into the app's field, and as 15 where 1,5 is in English", async () => {
    const { parseTypedAmount, useCustomsOf, useNotationOf } = await Target.load<Format>("pwa/format/money-format.ts");
    (useCustomsOf ?? useNotationOf)("en");
    expect([parseTypedAmount("-1"), parseTypedAmount("1,5")]).toEqual([undefined, undefined]);
  });

  it("moves what it says where it is written out, and a JSON number is judged by its value", async () => {
    expect(await movedBy(() => grant("5000"))).toBe(5_000);
    expect(await movedBy(() => grant("5000.50"))).toBe(5_000.5);
    const to = await fintech.aUser();
    const body = `{"from_user_id":"${user}","to_user_id":"${to}","amount":2.500}`;
    expect(await movedBy(() => fintech.send("POST", "/create-transaction", body))).toBe(-2.5);
  });

  it("is told how to be written", async () => {
    const { status, body } = await grant("5.000");
    if (status === 400) expect(JSON.stringify(body.errors)).toContain("5000");
  });
});
