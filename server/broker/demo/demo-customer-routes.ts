import type { Hono } from "hono";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { HttpContext, HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import { findMerchant } from "../access/merchant-keys.ts";
import { createDemoCustomers, type DemoCustomer } from "./demo-customers.ts";
import { demoMerchantKeys } from "./demo-keys.ts";
import type { DemoShop } from "./demo-shop.ts";

const CUSTOMER_PAGE = "/demo/customer.html";
const WAY_BACK = "/demo/connected";
/** The app's answer in the code's place when the person allowed nothing. */
const REFUSED = "none";

/** The link that leads to the app: it names the merchant, which knows its own id, and carries the shop's state. */
async function linkToApp({ sql, key, publicOrigin }: BrokerContext, state: string): Promise<string> {
  const shop = await findMerchant(sql, demoMerchantKeys(key).serverKey);
  if (shop === undefined) throw new ApiError("not_found", { detail: "There is no demo shop." });
  const returnTo = `${publicOrigin}${WAY_BACK}?${new URLSearchParams({ state })}`;
  const asked = new URLSearchParams({ merchant: shop.merchantId, "return-to": returnTo });
  return `${publicOrigin}/grant#${asked}`;
}

/** Takes the app's answer, if the shop sent this customer there and has had none yet. */
async function takeAnswer(shop: DemoShop, customer: DemoCustomer, c: HttpContext): Promise<void> {
  const [state, code] = [c.req.query("state"), c.req.query("cupo_grant")];
  if (customer.asked === undefined || state !== customer.asked || code === undefined) return;
  customer.asked = undefined;
  customer.refused = code === REFUSED;
  if (code === REFUSED) return;
  try {
    await shop.keepGrant(customer, code);
  } catch (error) {
    // Used, lapsed or made up: the customer is as before, and the page offers the link again.
    if (!(error instanceof ApiError) || error.code !== "not_allowed") throw error;
  }
}

/**
 * Adds the demo shop's routes for a customer's quota: the link to the app where the customer consents to show it, the
 * way back with the consent's code, and the start of the widget session that shows it.
 */
export function addDemoCustomerRoutes(
  app: Hono<HttpEnv>,
  tools: HttpTools,
  broker: BrokerContext,
  shop: DemoShop,
): void {
  const customers = createDemoCustomers(broker.random);
  app.get("/demo/customer", async (c) => {
    const found = customers.find(c.req.header("cookie"));
    const { customer, cookie } = found === undefined ? customers.make() : { customer: found, cookie: undefined };
    customer.asked ??= customers.newState();
    const connected = customer.grant !== undefined;
    const page = { connect: await linkToApp(broker, customer.asked), connected, refused: customer.refused === true };
    customer.refused = undefined;
    return tools.respond(c, 200, JSON.stringify(page), {
      ...{ "Content-Type": "application/json", "Cache-Control": "no-store" },
      ...(cookie === undefined ? {} : { "Set-Cookie": cookie }),
    });
  });
  app.get(WAY_BACK, async (c) => {
    const customer = customers.find(c.req.header("cookie"));
    if (customer !== undefined) await takeAnswer(shop, customer, c);
    // The address that had the code does not stay in the address bar.
    return tools.respond(c, 303, null, { Location: CUSTOMER_PAGE, "Referrer-Policy": "no-referrer" });
  });
  app.post("/demo/quota-session", async (c) => {
    const session = await shop.startQuota(customers.find(c.req.header("cookie")) ?? {});
    return tools.respond(c, 200, JSON.stringify(session), { "Content-Type": "application/json" });
  });
}
