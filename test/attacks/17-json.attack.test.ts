import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

let target: Target;
let fintech: EntityCaller;
let [ana, shop] = ["", ""];

beforeAll(async () => {
  target = await Target.start();
  fintech = await target.entity("Fintech");
  ana = await fintech.aUser({ quota: 100_000 });
  shop = await fintech.aUser();
});
afterAll(() => target?.remove());

/** The sum that a request moved of the payer's quota. */
async function paidBy(path: string, fields: string): Promise<number> {
  const before = await fintech.available(ana);
  await fintech.send("POST", path, `{"from_user_id":"${ana}",${fields}}`);
  return before - (await fintech.available(ana));
}

describe("17: a name that is twice in a JSON body", () => {
  attack("pays five thousand where whoever checked the body before read five", async () => {
    const fields = `"to_user_id":"${shop}","amount":5,"amount":5000`;
    expect(await paidBy("/create-transaction", fields)).toBe(0);
  });

  attack("pays five thousand where the second name is spelled with an escape", async () => {
    const fields = `"to_user_id":"${shop}","amount":5,"\\u0061mount":5000`;
    expect(await paidBy("/create-transaction", fields)).toBe(0);
  });

  attack("pays another payee in a batch, two levels deep", async () => {
    const thief = await fintech.aUser();
    await paidBy(
      "/create-payment-transaction",
      `"payments":[{"amount":5,"to_user_id":"${shop}","to_user_id":"${thief}"}]`,
    );
    expect(await fintech.available(thief)).toBe(0);
  });

  attack("keeps other details than whoever checked the body before read", async () => {
    const details = '"details":{"order":{"id":"1","id":"2"}}';
    expect(await paidBy("/create-transaction", `"to_user_id":"${shop}","amount":5,${details}`)).toBe(0);
  });

  attack("gets a token for another client than whoever checked the body before read", async () => {
    const { client_id, client_secret } = fintech.credentials;
    const body = `{"client_id":"nobody","client_id":"${client_id}","client_secret":"${client_secret}"}`;
    const answer = await new HttpCaller(target.product.demo.auth_url, () => ({})).post("/oauth2/token", body);
    expect(answer.body.access_token).toBeUndefined();
  });

  it("that is in two objects is no fault", async () => {
    const details = '"details":{"amount":1,"list":[{"amount":1},{"amount":2}],"__proto__x":{"amount":3}}';
    expect(await paidBy("/create-transaction", `"to_user_id":"${shop}","amount":5,${details}`)).toBe(5);
  });
});
