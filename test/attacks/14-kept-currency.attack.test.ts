import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aPlace, type Place } from "../e2e/support/product.ts";
import { attack } from "./support/attack.ts";
import { Target } from "./support/target.ts";

const REFUSED = "it does not start";

let place: Place;
let target: Target | undefined;

/** Reads from the service the balance of the demo's payer, and the instant at which the first day of the year began. */
async function told(running: Target): Promise<{ readonly balance: number; readonly yearBegan: string }> {
  const own = await running.own();
  const { id } = running.product.demo.users.payer;
  const [user] = await running.sql<{ creator_id: string }[]>`select creator_id from service.users where id = ${id}`;
  const query = { uid: user?.creator_id ?? "", "from-date": "2026-01-01", "to-date": "2026-01-31" };
  const balance = await own.available(id);
  const { body } = await own.get("/get-transaction-statistics", query);
  return { balance, yearBegan: body.period?.from_date };
}

/** Starts Cupo anew on the same data with another configuration, and asks again. */
async function toldWith(environment: Record<string, string>) {
  if (target !== undefined) {
    await target.sql.end();
    await target.product.stop();
  }
  target = undefined;
  try {
    target = await Target.start({ place, environment });
  } catch (error) {
    if (!String(error).includes("ended before it was ready")) throw error;
    return REFUSED;
  }
  return told(target);
}

beforeAll(async () => {
  place = await aPlace();
  target = await Target.start({ place });
});
afterAll(async () => {
  await target?.sql.end();
  await target?.product.stop();
  await place?.folder.remove();
});

describe("rule 14: currency and time zone are kept with the data", () => {
  it("tells the same after a restart with the same configuration", async () => {
    const before = await told(target as Target);
    expect(before).toEqual({ balance: 500_000, yearBegan: "2026-01-01T05:00:00.000Z" });
    expect(await toldWith({ CUPO_CURRENCY: "COP" })).toEqual(before);
  });

  attack("a restart with CUPO_CURRENCY=JPY multiplies every balance by 100", async () => {
    const after = await toldWith({ CUPO_CURRENCY: "JPY" });
    expect([REFUSED, 500_000]).toContain(after === REFUSED ? after : after.balance);
  });

  attack("a restart with another time zone moves the days that were booked", async () => {
    const after = await toldWith({ CUPO_TIME_ZONE: "Asia/Tokyo" });
    expect([REFUSED, "2026-01-01T05:00:00.000Z"]).toContain(after === REFUSED ? after : after.yearBegan);
  });

  it("starts again with the first configuration, and nothing was changed", async () => {
    expect(await toldWith({})).toEqual({ balance: 500_000, yearBegan: "2026-01-01T05:00:00.000Z" });
  });
});
