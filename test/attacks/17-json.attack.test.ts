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

describe("17: a sum that no JSON number holds", () => {
  type Money = typeof import("../../src/money.ts");
  type Summary = typeof import("../../server/broker/people/history/my-summary.ts");
  type Client = typeof import("../../src/client.ts");
  type Contract = typeof import("../../src/contract/broker/broker.ts");
  const EXACT = "90071992547409.93";
  const payee = { payee_id: "01890a5d-ac96-774b-bcce-b302099a8057", payee: "Tienda", payments: 1 };
  const at = "2026-03-31T05:00:00.000Z";

  attack("is told a cent off where the service adds up", async () => {
    const { sumToNumber } = await Target.load<Money>("src/money.ts");
    expect(JSON.stringify(sumToNumber(9_007_199_254_740_993n, 2))).toBe(EXACT);
  });

  attack("is told a cent off in the summary of whom a person paid", async () => {
    const { mySummary } = await Target.load<Summary>(
      "server/broker/people/history/my-summary.ts",
      "server/broker/people/my-summary.ts",
    );
    const { payee_id: _id } = payee;
    const transactions = { latest: [], by_status: { approved: 1, reversed: 0 }, last_date: at };
    const service = { transactionSummary: async () => ({ body: [{ _id, total_amount: EXACT, transactions }] }) };
    const known = { id: _id, name: payee.payee, inFull: true };
    // Version 0.1 asks for names alone, and decides nothing by the database.
    const names = { namesOf: async () => new Map([[_id, payee.payee]]), usersOf: async () => new Map([[_id, known]]) };
    const handle = mySummary(names as never, { sql: async () => [] } as never) as (
      call: object,
      service: object,
    ) => Promise<{ body: unknown }>;
    const { body } = await handle({ query: {}, principal: {} }, service);
    expect(JSON.stringify(body)).toContain(`"total":${EXACT},`);
  });

  attack("is read a cent off by the client library", async () => {
    const { createClient } = await Target.load<Client>("src/client.ts");
    const { brokerContract } = await Target.load<Contract>("src/contract/broker/broker.ts", "src/contract/broker.ts");
    const body = JSON.stringify([{ ...payee, total: 1, last_at: at }]).replace('"total":1', `"total":${EXACT}`);
    const headers = { "content-type": "application/json" };
    const client = createClient(brokerContract, {
      baseUrl: "http://localhost",
      fetch: async () => new Response(body, { headers }),
    });
    const read = await client.mySummary({ query: {} }).then(
      (answer) => answer.body[0]?.total,
      (error: Error) => error.message,
    );
    expect(read).toEqual(expect.stringContaining("no number holds"));
  });
});
