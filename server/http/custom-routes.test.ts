import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { AN_ID, sampleApp, sampleContract } from "../../test/support/sample-http-app.ts";
import type { AddRoutes } from "./http-options.ts";
import { parseJsonBody } from "./parse-json-body.ts";
import { createRateLimiter } from "./rate-limiter.ts";

const token: AddRoutes = (app, tools) => {
  app.post("/oauth2/token", async (c) => {
    tools.shapeErrors(c, ({ status, code }) => ({ status: status === 413 ? 400 : status, body: { error: code } }));
    const body = parseJsonBody(await tools.readBody(c)) as { client_id?: string };
    if (body.client_id === undefined) throw new ApiError("unauthorized");
    tools.label(c, body.client_id);
    return tools.respond(c, 200, JSON.stringify({ from: tools.address(c) }), { "Content-Type": "application/json" });
  });
};

describe("plain routes", () => {
  it("carry request id and limits, and keep their own caching", async () => {
    const { app, lines } = sampleApp({
      custom: (routes) => {
        routes.get("/style.css", (c) => c.body("a{}", 200, { "Cache-Control": "public, max-age=60" }));
        routes.get("/plain", () => new Response("plain"));
      },
    });
    const style = await app.request("/style.css");
    expect(style.headers.get("cache-control")).toBe("public, max-age=60");
    expect(style.headers.get("request-id")).toBe("made-1");
    expect(style.headers.get("ratelimit")).toBe('"default";r=29999;t=1');
    expect((await app.request("/plain")).headers.get("cache-control")).toBe("no-store");
    expect(lines).toHaveLength(2);
  });

  it("can word their errors in their own way, also those thrown by the machinery", async () => {
    const { app, lines } = sampleApp({ custom: token });
    const send = (body: string) => app.request("/oauth2/token", { method: "POST", body });
    expect(await (await send("{}")).json()).toEqual({ error: "unauthorized" });
    expect(await (await send("{")).json()).toEqual({ error: "malformed_json" });
    const large = await send("x".repeat(300_000));
    expect([large.status, await large.json()]).toEqual([400, { error: "payload_too_large" }]);
    expect(await (await send('{"client_id":"c1"}')).json()).toEqual({ from: "unknown" });
    expect(lines.at(-1)).toMatchObject({ route: "/oauth2/token", status: 200, principal: "c1" });
    expect((await app.request("/oauth2/token")).headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("stand behind the address's limit", async () => {
    const limits = { address: createRateLimiter({ quota: 1, windowSeconds: 60, now: () => 0 }) };
    const { app } = sampleApp({ limits, custom: token });
    const send = () => app.request("/oauth2/token", { method: "POST", body: "{}" });
    expect([(await send()).status, (await send()).status]).toEqual([401, 429]);
  });

  it("a catch-all leaves rows and 404 alone", async () => {
    const { app } = sampleApp({
      custom: (routes) => routes.get("*", (c, next) => (c.req.path === "/page" ? c.text("page") : next())),
    });
    expect(await (await app.request("/page")).text()).toBe("page");
    expect((await app.request("/open")).headers.get("content-type")).toBe("application/json");
    expect((await app.request("/nothing")).status).toBe(404);
    expect((await app.request("/nothing", { method: "POST" })).status).toBe(404);
  });

  it("something thrown that is no Error is a 500 like any bug", async () => {
    const { app } = sampleApp({
      custom: (routes) => {
        routes.get("/odd", () => Promise.reject("odd"));
      },
    });
    const response = await app.request("/odd");
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([500, "internal_error"]);
  });
});

describe("middleware before the rows", () => {
  it("sees their answers, errors too", async () => {
    const { app } = sampleApp({
      before: (routes) => {
        routes.use("/open", async (c, next) => {
          await next();
          c.header("Access-Control-Allow-Origin", "https://shop.example");
        });
      },
    });
    for (const init of [{}, { headers: { accept: "text/html" } }]) {
      const response = await app.request("/open", init);
      expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example");
    }
  });
});

describe("the project's own client", () => {
  it("understands answers, pages, tags, replays and errors", async () => {
    const { app } = sampleApp();
    expect(app).toBeInstanceOf(Hono);
    const client = createClient(sampleContract, {
      baseUrl: "http://localhost/",
      headers: () => ({ authorization: "Bearer good-a" }),
      fetch: async (input, init) => app.fetch(new Request(input as Request, init)),
    });
    const first = await client.things({ query: {} });
    expect(first.nextCursor).toBe("page two/&");
    expect((await client.things({ query: { cursor: first.nextCursor } })).nextCursor).toBeUndefined();
    const thing = await client.thing({ query: { id: AN_ID } });
    const unchanged = await client.thing({ query: { id: AN_ID } }, { etag: thing.etag ?? "" });
    expect([unchanged.status, unchanged.body]).toEqual([304, undefined]);
    const made = await client.createThing({ body: { name: "cup", amount: 5 } }, { idempotencyKey: "again" });
    expect([made.status, made.replayed]).toEqual([201, true]);
    const refused = client.createThing({ body: { name: "away", amount: 5 } });
    await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfter: 5 });
    const wrong = client.thing({ query: { id: "x" } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_request", faults: [{ parameter: "id" }] });
  });
});
