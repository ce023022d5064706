import { v7 } from "uuid";
import { SHOP_ORIGIN, type TestBroker } from "./broker.ts";

/** The name and the limits of a test's till. */
interface TillFields {
  readonly till?: string;
  readonly max_amount?: number;
  readonly max_total?: number;
}

/** The most of one top-up where a test sets no limit: more than anybody has. */
const NO_MATTER = 9_000_000_000_000;

/** A page with a session of kind recharge, as its cashier uses it; a till of its own unless it is named. */
export async function aTill(broker: TestBroker, fields: TillFields = { till: v7() }) {
  const isLimited = fields.max_amount !== undefined || fields.max_total !== undefined;
  const limits = isLimited ? fields : { ...fields, max_amount: NO_MATTER };
  const { body } = await broker.merchant.createSession({ body: { kind: "recharge", origin: SHOP_ORIGIN, ...limits } });
  const page = broker.till(body.session);
  return {
    ...page,
    id: body.session_id,
    session: body.session,
    /** Looks somebody up by phone, Ben by default; returns the handle. */
    find: async (phone = broker.ben.phone) => (await page.lookUp({ body: { phone } })).body.handle,
    sell: (handle: string, amount: number, idempotencyKey: string = v7()) =>
      page.createRecharge({ body: { handle, amount } }, { idempotencyKey }),
    shown: async () => (await page.widgetSession({})).body,
  };
}

/** Gives the shop's user money to sell. */
export async function fundShop(broker: TestBroker, amount = 1_000_000): Promise<void> {
  const quota = { amount: String(amount), loan_type: "default", payment_date: "2099-12-31" };
  await broker.entity.client.addQuota({ body: { id: broker.shop.id, ...quota } });
}

/** How many top-ups the service was asked to carry out. */
export async function topUpsSent(broker: TestBroker): Promise<number> {
  return (await broker.service.sql`select from service.transactions where kind = 'recharge'`).length;
}
