import { afterAll, beforeAll, describe, expect } from "vitest";
import { attack } from "./support/attack.ts";
import { HttpCaller, type RawAnswer } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const AMOUNT = 30_000;
const PHONE = "3119990012";

let target: Target;
beforeAll(async () => {
  target = await Target.start();
  await (await target.own()).aUser({ phone: PHONE });
});
afterAll(() => target.remove());

/** A page with a session of a till of the demo's shop, which may sell so much. */
async function aTill(till: string, most = 1_000_000) {
  const { origin } = target;
  const { server_key: key } = target.product.demo.merchant_keys;
  const backend = new HttpCaller(origin, () => ({ authorization: `Bearer ${key}` }));
  const { body } = await backend.post("/v1/sessions", { kind: "recharge", origin, till, max_total: most });
  const page = new HttpCaller(origin, () => ({ authorization: `Bearer ${body.session}`, origin }));
  const sell = (handle: string, key: string): Promise<RawAnswer> =>
    page.post("/v1/recharges", { handle, amount: AMOUNT }, { "idempotency-key": key });
  return { sell, find: async () => (await page.post("/v1/look-ups", { phone: PHONE })).body.handle as string };
}

/** The quota that the shop's user can still sell. */
async function left(): Promise<number> {
  return (await target.own()).available(target.product.demo.users.merchant.id);
}

describe("an attempt whose answer was lost", () => {
  attack("is told by the session of another till as never sold, and offered anew", async () => {
    const [ana, beto] = [await aTill("Ana"), await aTill("Beto")];
    const [handle, key] = [await ana.find(), "attempt-of-ana"];
    const sold = (await ana.sell(handle, key)).body;
    const told = (await beto.sell(handle, key)).body;
    expect(`${told.state ?? told.code} ${told.id ?? ""}`).toBe(`approved ${sold.id}`);
  });

  attack("is refused for good, and a copy of it that was late sells", async () => {
    const [before, after] = [await aTill("Caja 1"), await aTill("Caja 1", AMOUNT - 1)];
    const [handle, key, funds] = [await before.find(), "attempt-that-is-late", await left()];
    const told = (await after.sell(handle, key)).body.code;
    const late = (await before.sell(handle, key)).body;
    const moved = funds - (await left());
    expect(`${told}, then ${late.state ?? late.code}: ${moved} moved`).toBe(`${told}, then ${told}: 0 moved`);
  });
});
