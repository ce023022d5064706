import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Target } from "./support/target.ts";

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target?.remove());

describe("the harness", () => {
  it("enrols a person by the command, who pays with the passkey", async () => {
    const { demo } = target.product;
    const own = await target.own();
    const user = await own.aUser({ quota: 50_000 });
    const phone = await target.invite(user);
    const qr = await own.post("/create-transaction-qr", { to_user_id: demo.users.merchant.id, amount: 1_000 });
    const paid = await phone.pay({ payload: qr.body.payload });
    expect(paid.body).toMatchObject({ state: "approved" });
    expect(await own.available(user)).toBe(49_000);
    const olga = await target.operator("admin");
    expect((await olga.get("/v1/operator/enrolments")).status).toBe(200);
    expect((await target.demoPerson("payer")).cookie).not.toBe("");
    expect((await (await own.asAdministrator()).get("/entity-settings")).status).toBe(200);
  });
});
