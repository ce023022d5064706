import { describe, expect, it } from "vitest";
import { AN_ID, asA, post, problemOf, sampleApp } from "../../test/support/sample-http-app.ts";

describe("answers", () => {
  it("give back numbers that no double holds as they came", async () => {
    const { app } = sampleApp();
    const body = '{"name":"cup","amount":5,"details":{"n":12345678901234567890.10}}';
    const response = await app.request("/create-thing", post(body));
    expect(response.status).toBe(201);
    expect(await response.text()).toContain('"details":{"n":12345678901234567890.10}');
  });

  it("have an ETag where they are one record, and are 304 while unchanged", async () => {
    const { app } = sampleApp();
    const path = `/thing?id=${AN_ID}`;
    const tag = (await app.request(path, { headers: asA })).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const unchanged = await app.request(path, { headers: { ...asA, "if-none-match": sent } });
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([304, "", tag]);
    }
    const changed = await app.request(path, { headers: { ...asA, "if-none-match": '"other"' } });
    expect(changed.status).toBe(200);
    expect((await app.request("/things", { headers: asA })).headers.get("etag")).toBeNull();
  });

  it("link to the next page with the request's own query", async () => {
    const { app } = sampleApp();
    const link = (await app.request("/things?limit=5", { headers: asA })).headers.get("link") ?? "";
    expect(link).toBe('<?limit=5&cursor=page+two%2F%26>; rel="next"');
    const next = await app.request(`/things${link.slice(1, link.indexOf(">"))}`, { headers: asA });
    expect([next.status, next.headers.get("link")]).toEqual([200, null]);
    const known = sampleApp({ baseUrl: "https://pay.example/v1/" }).app;
    const absolute = (await known.request("/things", { headers: asA })).headers.get("link");
    expect(absolute).toBe('<https://pay.example/v1/things?cursor=page+two%2F%26>; rel="next"');
  });

  it("that do not fit their row are our bug: 500, and the log says where", async () => {
    const { app, lines } = sampleApp();
    const response = await app.request("/create-thing", post('{"name":"misfit","amount":5}'));
    expect((await problemOf(response)).code).toBe("internal_error");
    expect(JSON.stringify(lines)).toContain("the answer of createThing does not fit its row: /id must be an id");
  });
});

describe("pictures", () => {
  const cases: readonly (readonly [string | undefined, string | number])[] = [
    [undefined, "image/png"],
    ["*/*", "image/png"],
    ["image/*", "image/png"],
    ["image/svg+xml", "image/svg+xml"],
    ["image/png;q=0.5, image/svg+xml", "image/svg+xml"],
    ["image/png;q=0, image/*", "image/svg+xml"],
    ["application/json", "application/json"],
    ["application/json, text/plain", "application/json"],
    ["application/json, text/plain, */*", "image/png"],
    ["application/json, image/*;q=0.1", "image/png"],
    ["application/json;q=0.5, image/svg+xml", "image/svg+xml"],
    ["text/html", 406],
    ["application/json;q=0", 406],
  ];
  for (const [accept, expected] of cases) {
    it(`Accept: ${accept ?? "(none)"} gives ${expected}`, async () => {
      const { app } = sampleApp();
      const response = await app.request("/picture", post('{"name":"cup"}', accept === undefined ? {} : { accept }));
      if (expected === 406) expect((await problemOf(response)).code).toBe("not_acceptable");
      else expect([response.status, response.headers.get("content-type")]).toEqual([201, expected]);
    });
  }

  it("JSON alone is refused only by who excludes it", async () => {
    const { app } = sampleApp();
    for (const accept of [
      "application/json",
      "*/*",
      "application/*",
      "text/html, */*;q=0.1",
      "application/problem+json",
      "",
    ]) {
      expect((await app.request("/open", { headers: { accept } })).status).toBe(200);
    }
    for (const accept of ["text/html", "image/*", "application/json;q=0, */*"]) {
      expect((await app.request("/open", { headers: { accept } })).status).toBe(406);
    }
  });
});
