import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compressFiles } from "../../../build/compress-files.ts";
import { type Integrity, writeIntegrity } from "../../../build/write-integrity.ts";
import { brokerOptions, ORIGIN } from "../../../test/support/broker.ts";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { connect, type Sql } from "../../database/connect.ts";
import { createBroker } from "../create-broker.ts";

const root = mkdtempSync(join(tmpdir(), "cupo-widgets-"));
const folder = join(root, "widgets");
const script = `export const said = "${"La plata está aquí. ".repeat(100)}";\n`;
let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 1, applicationName: "cupo widget files test" });
  mkdirSync(folder);
  writeFileSync(join(folder, "pay-qr.js"), script);
  writeFileSync(join(folder, "pay-qr.js.map"), JSON.stringify({ version: 3, sourcesContent: [script] }));
  writeIntegrity(folder, ["pay-qr"], "1.2.3");
  compressFiles([folder]);
});
afterAll(async () => {
  rmSync(root, { recursive: true });
  await sql.end();
  await database.drop();
});

function ask(path: string, headers: Record<string, string> = {}) {
  const upstream = { baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b" };
  const { app } = createBroker(brokerOptions(sql, upstream, { staticRoot: root, publicOrigin: ORIGIN }));
  return app.fetch(new Request(`${ORIGIN}${path}`, { headers: { host: "localhost:4000", ...headers } }));
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

const FILES = ["pay-qr.js", "pay-qr.js.map", "integrity.json"];

describe("the elements' scripts", () => {
  it.each([
    ...FILES.map((name) => [`/widgets/${name}`, "no-cache"]),
    ...FILES.map((name) => [`/widgets/1.2.3/${name}`, "public, max-age=31536000, immutable"]),
  ])("at %s are there for every page, cached %s", async (path, caching) => {
    const { status, headers } = await ask(path, { origin: "https://shop.example" });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": caching,
      "content-type": path.endsWith(".js") ? "text/javascript; charset=utf-8" : "application/json",
      "cross-origin-resource-policy": "cross-origin",
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      "timing-allow-origin": "*",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it.each(["/widgets/pay-qr.js", "/widgets/1.2.3/pay-qr.js"])(
    "at %s are, in every encoding, the bytes that integrity.json names",
    async (path) => {
      const integrity = (await (await ask(path.replace("pay-qr.js", "integrity.json"))).json()) as Integrity;
      expect(integrity.version).toBe("1.2.3");
      const record = integrity.files["pay-qr.js"];
      const plain = await bytesOf(await ask(path));
      expect(record?.integrity).toBe(`sha384-${hash("sha384", plain, "base64")}`);
      expect(record?.bytes).toBe(plain.length);
      const brotli = await ask(path, { "accept-encoding": "gzip, deflate, br" });
      expect(brotli.headers.get("content-encoding")).toBe("br");
      expect(brotliDecompressSync(await bytesOf(brotli))).toEqual(plain);
      const gzip = await ask(path, { "accept-encoding": "gzip" });
      expect(gzip.headers.get("content-encoding")).toBe("gzip");
      const packed = await bytesOf(gzip);
      expect(packed.length).toBe(record?.gzip);
      expect(gunzipSync(packed)).toEqual(plain);
    },
  );

  it("are not sent again to whoever has them in that encoding", async () => {
    const encoded = { "accept-encoding": "br" };
    const { headers } = await ask("/widgets/pay-qr.js", encoded);
    const tag = headers.get("etag") ?? "";
    expect((await ask("/widgets/pay-qr.js", { ...encoded, "if-none-match": tag })).status).toBe(304);
    const plain = await ask("/widgets/pay-qr.js", { "if-none-match": tag });
    expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null]);
    expect(plain.headers.get("etag")).not.toBe(tag);
  });

  it.each([
    ...["/widgets/1.2.4/pay-qr.js", "/widgets/latest/pay-qr.js", "/widgets/1.2.3/user-quota.js", "/widgets/1.2.3/"],
    ...["/widgets/pay-qr.js.br", "/widgets/1.2/pay-qr.js", "/widgets/1.2.3/1.2.3/pay-qr.js"],
  ])("are not there at %s, and no other version is given for it", async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("are sent plain where the compressed form is of an older build", async () => {
    const file = join(folder, "stale.js");
    writeFileSync(file, script);
    compressFiles([folder]);
    writeFileSync(file, script.toUpperCase());
    utimesSync(file, new Date(), new Date(statSync(`${file}.br`).mtimeMs + 5_000));
    const response = await ask("/widgets/stale.js", { "accept-encoding": "br, gzip" });
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(script.toUpperCase());
    expect(readFileSync(`${file}.br`).length).toBeGreaterThan(0);
  });
});
