import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/contract/shared/errors.ts";
import { AN_ID, asA, post, problemOf, sampleApp } from "../../test/support/sample-http-app.ts";

describe("paths and methods", () => {
  it("an unknown path is 404, with or without a token", async () => {
    const { app } = sampleApp();
    for (const path of ["/", "/nothing", "/thing/", "/things/x"]) {
      expect((await problemOf(await app.request(path))).code).toBe("not_found");
    }
  });

  it("a 404 leads to the app's description where it has one, and nowhere else", async () => {
    const described = sampleApp({ openApi: async () => "{}" }).app;
    const hint = (await problemOf(await described.request("/nothing"))).detail ?? "";
    const [path = ""] = /\/\S+(?=\.$)/.exec(hint) ?? [];
    expect((await described.request(path)).status).toBe(200);
    expect((await problemOf(await sampleApp().app.request("/nothing"))).detail).toBe("No such path.");
  });

  it("a path parameter that no record can have is 404", async () => {
    const { app } = sampleApp();
    expect((await problemOf(await app.request("/things/x/part", { headers: asA }))).code).toBe("not_found");
    const part = await app.request(`/things/${AN_ID}/part`, { headers: asA });
    expect(await part.json()).toEqual({ id: AN_ID, address: "unknown" });
  });

  it("another method is 405 with Allow, and OPTIONS tells it", async () => {
    const { app } = sampleApp();
    const wrong = await app.request("/create-thing", { method: "DELETE" });
    expect((await problemOf(wrong)).code).toBe("method_not_allowed");
    expect(wrong.headers.get("allow")).toBe("POST, OPTIONS");
    const options = await app.request("/thing", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "HEAD, GET, OPTIONS"]);
    expect((await app.request("/nothing", { method: "OPTIONS" })).status).toBe(404);
  });

  it("HEAD is GET without the body", async () => {
    const { app } = sampleApp();
    const head = await app.request(`/thing?id=${AN_ID}`, { method: "HEAD", headers: asA });
    const get = await app.request(`/thing?id=${AN_ID}`, { headers: asA });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });
});

describe("request ids", () => {
  it("a well-formed one is kept, any other replaced", async () => {
    const { app } = sampleApp();
    for (const id of ["a", "A_b-9", "x".repeat(64)]) {
      const response = await app.request("/open", { headers: { "request-id": id } });
      expect(response.headers.get("request-id")).toBe(id);
    }
    for (const id of ["", "x".repeat(65), "a b", "a/b"]) {
      const response = await app.request("/nothing", { headers: { "request-id": id } });
      expect(response.headers.get("request-id")).toMatch(/^made-\d+$/);
    }
  });
});

describe("failures inside", () => {
  it("are 500 without detail, and logged with their cause", async () => {
    const { app, lines } = sampleApp();
    const response = await app.request("/create-thing", post('{"name":"bug","amount":5}'));
    const text = await response.clone().text();
    expect(await problemOf(response)).not.toHaveProperty("detail");
    expect(text).not.toContain("secret");
    expect(lines.find(({ msg }) => msg === "request failed")).toMatchObject({
      level: 50,
      route: "/create-thing",
      requestId: "made-1",
      error: { message: "secret of the inside" },
    });
  });

  it("an error that the row does not declare is our bug", async () => {
    const { app, lines } = sampleApp();
    const response = await app.request("/create-thing", post('{"name":"undeclared","amount":5}'));
    expect((await problemOf(response)).code).toBe("internal_error");
    expect(JSON.stringify(lines)).toContain("createThing threw duplicate_user, which its row does not declare");
  });

  it("a dependency that is away is 503 with Retry-After", async () => {
    const { app } = sampleApp();
    const response = await app.request("/create-thing", post('{"name":"away","amount":5}'));
    expect((await problemOf(response)).code).toBe("unavailable");
    expect(response.headers.get("retry-after")).toBe("5");
  });

  it("an operation that is not built yet is 501 and says no more", async () => {
    const { app } = sampleApp();
    const response = await app.request("/create-thing", post('{"name":"later","amount":5}'));
    expect(await problemOf(response)).toEqual({
      type: "urn:cupo:error:not_implemented",
      title: errorCodes.not_implemented.title,
      status: 501,
      code: "not_implemented",
      request_id: "made-1",
    });
  });
});

describe("authentication", () => {
  it("a 401 says how, and calls only a token that was sent invalid", async () => {
    const { app } = sampleApp();
    const missing = await app.request("/thing");
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="cupo"');
    const wrong = await app.request("/thing", { headers: { authorization: "Bearer garbage" } });
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer realm="cupo", error="invalid_token"');
  });
});

describe("the access log", () => {
  it("has one line per request with the registered path, and nothing that was sent", async () => {
    const { app, lines, clock } = sampleApp({
      custom: (routes) => {
        routes.get("/files/:name", (c) => {
          clock.ms += 12;
          return c.text("file");
        });
      },
    });
    await app.request(`/thing?id=${AN_ID}`, { headers: asA });
    await app.request("/files/secret-name", { headers: asA });
    await app.request("/secret-path?secret=1", { headers: asA });
    expect(
      lines.map(({ method, route, status, ms, requestId, principal }) => ({
        method,
        route,
        status,
        ms,
        requestId,
        principal,
      })),
    ).toEqual([
      { method: "GET", route: "/thing", status: 200, ms: 0, requestId: "made-1", principal: "a" },
      { method: "GET", route: "/files/:name", status: 200, ms: 12, requestId: "made-2", principal: undefined },
      { method: "GET", route: "unmatched", status: 404, ms: 0, requestId: "made-3", principal: undefined },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|good-a|01890a5d/);
  });
});
