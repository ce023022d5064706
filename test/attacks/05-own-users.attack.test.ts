import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

let target: Target;
let own: EntityCaller;
let other: EntityCaller;
let clerk: AppBrowser;
let admin: AppBrowser;
let count = 0;

beforeAll(async () => {
  target = await Target.start();
  [own, other] = [await target.own(), await target.entity("Other")];
  // Two operators, so that the code of a link can be shown to one of them.
  [clerk, admin] = [await target.operator("clerk"), await target.operator("admin")];
});
afterAll(() => target?.remove());

/** A user of another entity than the broker's. */
async function aForeignUser() {
  count += 1;
  const known = { nit: `88000${count}`, phone: `+5730088000${String(count).padStart(2, "0")}` };
  return { id: await other.aUser({ name: "Luz", quota: 900, ...known }), ...known };
}

describe("05: operators and the users of other entities", () => {
  attack("a clerk enrols another entity's user", async () => {
    const { id } = await aForeignUser();
    await clerk.post("/v1/operator/enrolments", { user_id: id });
    expect(await target.sql`select display_name from broker.people where user_id = ${id}`).toHaveLength(0);
  });

  attack("a clerk learns whose a phone or nit is at another entity", async () => {
    const { nit, phone } = await aForeignUser();
    const told = [];
    for (const key of [{ nit }, { phone }]) told.push((await clerk.post("/v1/operator/enrolments", key)).body.name);
    expect(told).toEqual([undefined, undefined]);
  });

  attack("an admin makes a merchant of another entity's user", async () => {
    const { id } = await aForeignUser();
    await admin.post("/v1/operator/merchants", { name: "Shop", user_id: id, origins: [] });
    expect(await target.sql`select name from broker.merchants where user_id = ${id}`).toHaveLength(0);
  });

  it("enrol users of their own entity", async () => {
    const { status, body } = await clerk.post("/v1/operator/enrolments", { user_id: await own.aUser({ name: "Eva" }) });
    expect([status, body.name]).toEqual([201, "Eva"]);
  });
});
