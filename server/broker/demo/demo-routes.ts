import type { Hono } from "hono";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { HttpContext, HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import { hashToken } from "../access/opaque-token.ts";
import { readSessionCookie } from "../access/session-cookie.ts";
import { addDemoCustomerRoutes } from "./demo-customer-routes.ts";
import type { DemoShop } from "./demo-shop.ts";
import { demoSignInByKey } from "./demo-sign-in.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/**
 * Answers 404 on every route of the demo unless the demo is on and the request comes from this machine (security:
 * Rules, Demo).
 */
export function guardDemo(app: Hono<HttpEnv>, tools: HttpTools, demo: boolean): void {
  for (const path of ["/v1/demo/*", "/demo", "/demo/*"]) {
    app.use(path, async (c, next) => {
      if (!demo || !tools.isDirectLoopback(c)) throw new ApiError("not_found", { detail: "There is no demo here." });
      await next();
    });
  }
}

/** A page of another site must not act here in a visitor's name, not even in the demo. */
function refuseOtherSites(c: HttpContext): void {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") throw new ApiError("not_allowed");
}

/**
 * Adds the demo's route for sign-in addresses and the demo shop's backend; the routes of {@link guardDemo} stand before
 * them.
 */
export function addDemoRoutes(app: Hono<HttpEnv>, tools: HttpTools, broker: BrokerContext, shop: DemoShop): void {
  app.get("/demo/sign-in", async (c) => {
    const token = readSessionCookie(broker, c.req.raw.headers);
    const cookie = await demoSignInByKey(broker, c.req.query("key") ?? "", {
      principal: { kind: "visitor", ...(token === undefined ? {} : { sessionHash: hashToken(token) }) },
      requestId: tools.requestId(c),
      address: tools.address(c),
    });
    return tools.respond(c, 303, null, {
      Location: "/#signed-in",
      "Set-Cookie": cookie,
      "Referrer-Policy": "no-referrer",
    });
  });
  app.get("/demo", (c) => tools.respond(c, 308, null, { Location: "/demo/" }));
  const answer = (c: HttpContext, body: object) => tools.respond(c, 200, JSON.stringify(body), JSON_TYPE);
  app.use("/demo/*", async (c, next) => {
    if (c.req.method === "POST") refuseOtherSites(c);
    await next();
  });
  app.post("/demo/session", async (c) => answer(c, await shop.startSession(c.req.query("order"))));
  app.post("/demo/till-session", async (c) => answer(c, await shop.startTill()));
  app.get("/demo/order", async (c) => answer(c, await shop.orderState(c.req.query("order"))));
  addDemoCustomerRoutes(app, tools, broker, shop);
}
