import { expect, it } from "vitest";
import { serviceContract } from "../../src/contract/service/service.ts";
import { SCOPES } from "../../src/contract/shared/scopes.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import type { Sql } from "../database/connect.ts";
import { createServiceHttp } from "./service-http.ts";
import { limitMemory, serviceLimits } from "./service-limits.ts";

const THREADS = 2;
const now = () => 0;
const ID = "00000000-0000-7000-8000-000000000001";
const BODY = JSON.stringify({ from_user_id: ID, to_user_id: ID, amount: 1 });

/** One thread's HTTP, in front of handlers that never answer; the token of a caller is the name of its entity. */
function aStuckService() {
  let begun = 0;
  const stuck = (): Promise<never> => {
    begun += 1;
    return new Promise(() => undefined);
  };
  const handlers = Object.fromEntries(Object.keys(serviceContract).map((name) => [name, stuck]));
  const app = createServiceHttp({
    core: { grantToken: stuck, wellKnown: stuck, openApi: stuck },
    verifyAccessToken: async (token) => ({ clientId: token, entityId: token, scopes: SCOPES, secretId: undefined }),
    handlers: handlers as unknown as Parameters<typeof createServiceHttp>[0]["handlers"],
    limits: serviceLimits({ now }, limitMemory()).requests,
    sql: undefined as unknown as Sql,
    baseUrl: "http://service.test",
    newId: () => ID,
    log: silentLog,
    now,
    threads: THREADS,
  });
  const pay = (entity: string) => {
    const headers = { authorization: `Bearer ${entity}`, "content-type": "application/json" };
    return Promise.resolve(app.request("/create-transaction", { method: "POST", headers, body: BODY }));
  };
  return { pay, begun: () => begun };
}

it("refuses what would wait behind too many calls of its entity, and lets another entity's wait", async () => {
  const { pay, begun } = aStuckService();
  const refused: Response[] = [];
  for (let count = 0; count < 3_000; count++) void pay("one").then((answer) => refused.push(answer));
  await expect.poll(() => refused.length + begun()).toBe(3_000);
  expect(begun()).toBe(1_024);
  const [answer] = refused;
  expect([answer?.status, answer?.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await answer?.json()).toMatchObject({ code: "too_many_requests" });
  void pay("other");
  await expect.poll(begun).toBe(1_025);
});
