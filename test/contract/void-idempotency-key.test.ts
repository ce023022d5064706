import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { times } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  [ana, shop] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech)).id];
});
afterAll(() => service.stop());

const pay = (idempotencyKey: string, amount = 10) =>
  fintech.client.createTransaction({ body: { amount, from_user_id: ana, to_user_id: shop } }, { idempotencyKey });

async function voided(key: string): Promise<string> {
  return (await fintech.client.voidIdempotencyKey({ body: { operation: "createTransaction", key } })).body.state;
}

async function paid(): Promise<number> {
  return (await fintech.client.transactionHistory({ query: { "user-id": shop } })).body.length;
}

const isVoid = { code: "idempotency_key_void" };

describe("a key that was made void", () => {
  it("lets nothing through, whatever body comes under it, and says so again", async () => {
    expect(await voided("early")).toBe("void");
    await expect(pay("early")).rejects.toMatchObject(isVoid);
    await expect(pay("early", 11)).rejects.toMatchObject(isVoid);
    expect(await voided("early")).toBe("void");
    expect(await paid()).toBe(0);
  });

  it("is told apart from one under which something was decided, and whose answer is told again", async () => {
    const { body } = await pay("first");
    expect(await voided("first")).toBe("used");
    const again = await pay("first");
    expect(again).toMatchObject({ body: { id: body.id }, replayed: true });
    const refused = fintech.client.settleTransaction(
      { body: { id: body.id, status: "approved" } },
      { idempotencyKey: "first" },
    );
    await expect(refused).rejects.toMatchObject({ code: "transaction_not_pending" });
    const settling = { operation: "settleTransaction", key: "first" } as const;
    expect((await fintech.client.voidIdempotencyKey({ body: settling })).body.state).toBe("used");
  });

  it("is either void or used of fifty that race with their payments, never both", async () => {
    const before = await paid();
    const races = await Promise.all(
      times(50, async (number) => {
        const key = `race ${number}`;
        const [sent, state] = await Promise.allSettled([pay(key, 1), voided(key)]);
        expect(state.status).toBe("fulfilled");
        const isPaid = sent.status === "fulfilled";
        if (!isPaid) expect(sent.reason).toMatchObject(isVoid);
        expect([isPaid, state.status === "fulfilled" && state.value]).toEqual([isPaid, isPaid ? "used" : "void"]);
        return isPaid;
      }),
    );
    expect(await paid()).toBe(before + races.filter(Boolean).length);
  });
});
