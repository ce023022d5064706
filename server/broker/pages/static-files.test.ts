import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokerOptions, ORIGIN } from "../../../test/support/broker.ts";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { connect, type Sql } from "../../database/connect.ts";
import { sessionCookieName } from "../access/session-cookie.ts";
import { createBroker } from "../create-broker.ts";
import { isBuilt } from "./static-files.ts";

const folder = mkdtempSync(join(tmpdir(), "cupo-static-"));
const root = join(folder, "dist");
const PAGE_SCRIPTS = {
  "/": { es: [], en: ["assets/start-en-1.js"] },
  "/welcome": { es: ["assets/welcome-1.js"], en: ["assets/welcome-1.js", "assets/start-en-1.js"] },
  "/scan": { es: ["assets/scan-1.js", "assets/read-1.js"] },
};
let database: TestDatabase;
let sql: Sql;

function write(path: string, text = path): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 1, applicationName: "cupo static test" });
  write("dist/app/index.html", "<!doctype html><title>Cupo</title>");
  write("dist/app/sw.js");
  write("dist/app/manifest.webmanifest");
  write("dist/app/icons/icon.svg");
  write("dist/app/assets/index-AbCd1234.js");
  write("dist/app/assets/scan-worker-AbCd1234.js");
  write("dist/app/assets/zxing_reader-AbCd1234.wasm");
  write("dist/app/page-scripts.json", JSON.stringify(PAGE_SCRIPTS));
  write("dist/app/secret.key");
  write("dist/app/.env");
  write("dist/widgets/pay-qr.js");
  write("dist/demo/index.html", "<!doctype html><title>Shop</title>");
  write("outside.js");
  symlinkSync(join(folder, "outside.js"), join(root, "app/link.js"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sql.end();
  await database.drop();
});

function ask(
  path: string,
  { demo = true, origin = ORIGIN, headers = {} as Record<string, string>, method = "GET", staticRoot = root } = {},
) {
  const upstream = { baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b" };
  const { app } = createBroker(brokerOptions(sql, upstream, { staticRoot, demo, publicOrigin: origin }));
  const request = new Request(`${ORIGIN}/`, { method, headers: { host: "localhost:4000", ...headers } });
  // A Request would tidy the path up; the wire does not.
  Object.defineProperty(request, "url", { value: `${ORIGIN}${path}` });
  return app.fetch(request);
}

describe("the static files", () => {
  it.each(["/", "/scan", "/confirm", "/p", "/receive", "/history", "/received", "/welcome", "/history/"])(
    "answer %s with the app's page",
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toContain("<title>Cupo</title>");
    },
  );

  it.each([
    ["/assets/index-AbCd1234.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/assets/zxing_reader-AbCd1234.wasm", "application/wasm", "public, max-age=31536000, immutable"],
    ["/sw.js", "text/javascript; charset=utf-8", "no-cache"],
    ["/manifest.webmanifest", "application/manifest+json", "no-cache"],
    ["/icons/icon.svg", "image/svg+xml", "no-cache"],
    ["/widgets/pay-qr.js", "text/javascript; charset=utf-8", "no-cache"],
  ])("serve %s as %s, cached %s", async (path, type, cache) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe(cache);
  });

  it.each([
    ...["/../outside.js", "/assets/../../../outside.js", "/%2e%2e/outside.js", "/..%2foutside.js", "/..%5coutside.js"],
    ...["/link.js", "/.env", "/secret.key", "/assets/", "/assets", "/nothing", "/index.html/x", "/%00.js", "/%ff.js"],
    ...["//etc/passwd", "/widgets/../app/sw.js", "/demo/../app/sw.js", `/${"a".repeat(5000)}.js`],
  ])("have nothing at %s", async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.text()).not.toContain("outside.js");
  });

  it.each(["/", "/history", "/demo/"])("say at %s that the build is missing, where it is", async (path) => {
    const response = await ask(path, { staticRoot: join(folder, "never-built") });
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain("npm run build");
    expect((await ask("/assets/index-AbCd1234.js", { staticRoot: join(folder, "never-built") })).status).toBe(404);
    expect([await isBuilt(root), await isBuilt(join(folder, "never-built"))]).toEqual([true, false]);
  });

  it("show whoever opens an unknown address a page with status 404, and tell programs as JSON", async () => {
    const opened = await ask("/no/such-page", { headers: { accept: "text/html,*/*" } });
    expect([opened.status, await opened.text()]).toEqual([404, "<!doctype html><title>Cupo</title>"]);
    expect(opened.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const path of ["/v1/no-such-thing", "/assets/gone.js"]) {
      const response = await ask(path, { headers: { accept: "text/html,*/*" } });
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    }
    expect((await ask("/no/such-page")).headers.get("content-type")).toBe("application/problem+json");
  });

  it("leave it to the others' addresses to say which method they take", async () => {
    for (const [path, allow] of [
      ["/v1/approvals", "POST, OPTIONS"],
      ["/v1/me/devices/x/remove", "POST, OPTIONS"],
    ] as const) {
      for (const method of ["GET", "HEAD", "DELETE"]) {
        const response = await ask(path, { method, headers: { accept: "text/html" } });
        expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
      }
    }
  });

  it("forbid the page everything that it does not use", async () => {
    const { headers } = await ask("/");
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((part) => part.split(/ (.*)/s)) as [
        string,
        string,
      ][],
    );
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "manifest-src": "'self'",
      "worker-src": "'self'",
      "form-action": "'none'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "cupo",
    });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("camera=(self)");
    expect(headers.get("permissions-policy")).toContain("microphone=()");
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  it("hold browsers to https away from localhost", async () => {
    const { headers } = await ask("/", { origin: "https://pay.example" });
    expect(headers.get("strict-transport-security")).toContain("max-age=63072000");
  });

  it("let the decoder's worker alone compile WebAssembly", async () => {
    const worker = (await ask("/assets/scan-worker-AbCd1234.js")).headers.get("content-security-policy");
    expect(worker).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'");
    for (const path of ["/", "/assets/index-AbCd1234.js", "/sw.js"]) {
      expect((await ask(path)).headers.get("content-security-policy")).not.toContain("unsafe");
    }
  });

  it("give the elements to every page, and the app to none", async () => {
    const { headers } = await ask("/widgets/pay-qr.js");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const own = (await ask("/assets/index-AbCd1234.js")).headers;
    expect(own.get("access-control-allow-origin")).toBeNull();
    expect(own.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  it("name the scripts of a page with its document, so that they come beside the first", async () => {
    const named = "</assets/scan-1.js>; rel=modulepreload; fetchpriority=low, </assets/read-1.js>; rel=modulepreload";
    for (const path of ["/scan", "/scan/"]) expect((await ask(path)).headers.get("link")).toContain(named);
    const cookie = `${sessionCookieName({ publicOrigin: ORIGIN })}=a`;
    for (const path of ["/", "/history", "/demo/"]) {
      expect((await ask(path, { headers: { cookie } })).headers.get("link")).toBeNull();
    }
  });

  it("name those of Welcome where nobody is signed in, and those of the language", async () => {
    const named = async (headers: Record<string, string>, demo = false) =>
      (await ask("/", { headers, demo })).headers.get("link");
    const script = (name: string) => `</assets/${name}-1.js>; rel=modulepreload; fetchpriority=low`;
    expect(await named({})).toBe(script("welcome"));
    expect(await named({}, true)).toBe(`${script("welcome")}, </v1/demo/people>; rel=preload; as=fetch; crossorigin`);
    expect(await named({ "accept-language": "fr, en-US;q=0.8" })).toBe(`${script("welcome")}, ${script("start-en")}`);
    const cookie = `${sessionCookieName({ publicOrigin: ORIGIN })}=a`;
    expect(await named({ "accept-language": "en", cookie })).toBe(script("start-en"));
    expect((await ask("/")).headers.get("vary")).toBe("Accept-Encoding, Accept-Language, Cookie");
  });

  it("answer an unchanged file with 304, and HEAD without a body", async () => {
    const first = await ask("/sw.js");
    const again = await ask("/sw.js", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    const head = await ask("/sw.js", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });

  it("take no writes", async () => {
    expect((await ask("/sw.js", { method: "POST" })).status).toBe(404);
  });
});

describe("the demo's page", () => {
  it("is there for this machine, below a path with a slash", async () => {
    expect(await (await ask("/demo/")).text()).toContain("Shop");
    const bare = await ask("/demo");
    expect([bare.status, bare.headers.get("location")]).toEqual([308, "/demo/"]);
  });

  it.each([
    ["the demo is off", { demo: false }],
    ["a proxy stands between", { headers: { "x-forwarded-for": "203.0.113.9" } }],
    ["another name was used", { headers: { host: "attacker.example:4000" } }],
  ])("is not there when %s", async (_name, options) => {
    for (const path of ["/demo/", "/demo", "/demo/sign-in?key=x", "/demo/order?order=1", "/v1/demo/people"]) {
      expect((await ask(path, options)).status).toBe(404);
    }
  });
});
