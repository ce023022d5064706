import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const TODAY_AND_LATER = "2900-01-01";

let target: Target;
let own: EntityCaller;
let shop: string;

beforeAll(async () => {
  target = await Target.start();
  own = await target.entity("Lender");
  shop = await own.aUser();
});
afterAll(() => target?.remove());

/** Makes a user with cash of its own, a debt and a hold, and blocks it. */
async function aBlockedUser() {
  const id = await own.aUser({ quota: 100 });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Bogota" }).format();
  await own.post("/add-quota", { id, amount: "400", loan_type: "deposit", payment_date: today });
  const payment = { amount: 50, from_user_id: id, to_user_id: shop, status: "pending" };
  const hold = (await own.post("/create-transaction", payment)).body.id as string;
  await own.post("/block-user", { id });
  const settle = (status: string) => own.post("/settle-transaction", { id: hold, status });
  const held = async () => (await own.get("/transaction", { id: hold })).body;
  return { id, hold, settle, held };
}

async function endTermOf(hold: string): Promise<void> {
  await target.sql`update service.transactions set hold_expires_at = now() - interval '1 second' where id = ${hold}`;
}

async function aWrittenOffUser(): Promise<string> {
  const id = await own.aUser();
  await own.post("/add-quota", { id, amount: "70", loan_type: "default", payment_date: TODAY_AND_LATER });
  const [credit] = (await own.get("/credits", { "user-id": id })).body;
  const { status } = await own.post("/write-off-credit", { credit_id: credit.id });
  expect(status).toBe(200);
  return id;
}

describe("16: whose account is blocked is not paid out", () => {
  attack("a blocked user is paid out by a discharge", async () => {
    const { id } = await aBlockedUser();
    await own.post("/discharge-quota", { id, amount: "300" });
    expect((await own.get("/user", { id })).body.quota).toBe(500);
  });

  attack("a blocked user's hold is settled", async () => {
    const { id, settle } = await aBlockedUser();
    await settle("approved");
    expect((await own.get("/user", { id })).body.quota).toBe(500);
  });

  attack("a blocked user's hold lapses, and the money that the shop waits for is free again", async () => {
    const { hold, held } = await aBlockedUser();
    await endTermOf(hold);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await held()).status).toBe("pending");
  });

  it("still repays, releases what is held, and is paid out once it is unblocked", async () => {
    const { id, settle } = await aBlockedUser();
    expect((await own.post("/discharge-quota", { id, amount: "100" })).body).toMatchObject({
      repaid_principal: "100",
      paid_out: "0",
    });
    expect((await settle("rejected")).body.reason).toBe("released");
    await own.post("/unblock-user", { id });
    expect((await own.post("/discharge-quota", { id, amount: "400" })).body.paid_out).toBe("400");
  });
});

describe("16: whoever was written off is no client in order", () => {
  attack("a written-off user is suggested active", async () => {
    const id = await aWrittenOffUser();
    expect((await own.get("/user", { id })).body.suggested_status).not.toBe("active");
  });

  attack("a written-off user is counted current", async () => {
    const uid = await aWrittenOffUser();
    const { body } = await own.get("/get-client-statistics", { uid });
    const current = body.by_days_past_due.find(({ bucket }: { bucket: string }) => bucket === "current");
    expect(current.clients).toBe(0);
  });
});
