import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceContract } from "../../src/contract/service/service.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { properCalls } from "../support/proper-calls.ts";
import { aService, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";
import {
  type OperationName,
  pathOf,
  problemOf,
  type RawClient,
  rawClient,
  refusalOf,
} from "../support/service-calls.ts";

const NAMES = Object.keys(serviceContract) as OperationName[];

let service: TestService;
let elsewhere: TestService;
let fintech: TestEntity;
let raw: RawClient;
let foreignToken: string;
let expiredToken: string;

beforeAll(async () => {
  [service, elsewhere] = [await aService(), await aService()];
  fintech = await service.anEntity();
  expiredToken = await fintech.accessToken();
  foreignToken = await (await elsewhere.anEntity()).accessToken();
  service.advance(3_601);
  raw = await rawClient(service, fintech);
});
afterAll(async () => {
  await service.stop();
  await elsewhere.stop();
});

/** The token with another payload, header or signature: what somebody makes without our key. */
function altered(token: string, part: 0 | 1 | 2, content: string): string {
  const parts = token.split(".");
  parts[part] = content;
  return parts.join(".");
}

function attempts(): Record<string, string | null> {
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  const claims = Buffer.from(JSON.stringify({ client_id: fintech.clientId, sub: fintech.clientId, exp: 9e9 }));
  return {
    "no token": null,
    "an empty header": "",
    "another scheme": `Basic ${Buffer.from(`${fintech.clientId}:${fintech.clientSecret}`).toString("base64")}`,
    "a scheme alone": "Bearer ",
    garbage: "Bearer garbage",
    "garbage of three parts": "Bearer a.b.c",
    "a token of another service": `Bearer ${foreignToken}`,
    "an expired token": `Bearer ${expiredToken}`,
    "a token that nobody signed": `Bearer ${none}.${claims.toString("base64url")}.`,
    "a token with other claims": `Bearer ${altered(expiredToken, 1, claims.toString("base64url"))}`,
    "a token with a broken signature": `Bearer ${altered(expiredToken, 2, "AAAA")}`,
    "a token of 10 000 characters": `Bearer ${"a".repeat(10_000)}`,
    "two tokens": `Bearer ${expiredToken} ${expiredToken}`,
  };
}

describe.each(NAMES)("%s", (name) => {
  const row: Operation = serviceContract[name];

  it("needs a token of this service that is good now, before anything else is looked at", async () => {
    for (const [attempt, authorization] of Object.entries(attempts())) {
      const response = await raw(name, {
        text: "{not json",
        query: "unknown=1",
        headers: { authorization, accept: "text/html", "content-type": "text/plain" },
      });
      const challenge = response.headers.get("www-authenticate");
      expect([attempt, (await problemOf(response)).code]).toEqual([attempt, "unauthorized"]);
      const isBearer = /^bearer ./i.test((authorization ?? "").trim());
      expect([attempt, challenge]).toEqual([
        attempt,
        `Bearer realm="cupo"${isBearer ? ', error="invalid_token"' : ""}`,
      ]);
    }
  });

  it("refuses an unknown parameter, and then every one of them", async () => {
    const query = { ...properCalls[name].query, one: "1", two: "2" };
    expect(await refusalOf(await raw(name, { ...properCalls[name], query }))).toEqual([
      "invalid_request",
      "one",
      "two",
    ]);
  });

  if (row.body !== undefined)
    it("refuses, in order: 406, 415, 413, broken JSON, then what is wrong in it", async () => {
      const large = `{"a":"${"x".repeat(300 * 1024)}"}`;
      const wrong: [string, string | Uint8Array<ArrayBuffer>, object][] = [
        ["not_acceptable", large, { accept: "text/html", "content-type": "text/plain" }],
        ["unsupported_media_type", large, { "content-type": "text/plain" }],
        ["unsupported_media_type", "{}", { "content-type": null }],
        ["unsupported_media_type", "{}", { "content-type": "application/json; charset=latin1" }],
        ["unsupported_media_type", "{}", { "content-encoding": "gzip" }],
        ["payload_too_large", large, {}],
        ["malformed_json", "", {}],
        ["malformed_json", '{"a":1', {}],
        ["malformed_json", '{"amount":NaN}', {}],
        ["malformed_json", '{"a":1}{"b":2}', {}],
        ["malformed_json", '{"amount":5,"amount":5000}', {}],
        ["malformed_json", '{"details":{"a":[{"b":1,"\\u0062":2}]}}', {}],
        ["malformed_json", `\u{feff}\u{feff}{}`, {}],
        ["malformed_json", `${"[".repeat(65)}${"]".repeat(65)}`, {}],
        ["malformed_json", `{"a":${"[".repeat(100_000)}`, {}],
        ["malformed_json", Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d), {}],
        ["malformed_json", Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0), {}],
      ];
      for (const [code, text, headers] of wrong) {
        const response = await raw(name, { text, headers: headers as Record<string, string> });
        expect((await problemOf(response)).code).toBe(code);
      }
      for (const text of ["null", "[]", '"text"', "7", "1e400", "true", JSON.stringify([properCalls[name].body])]) {
        expect(await refusalOf(await raw(name, { text }))).toEqual(["invalid_request", ""]);
      }
    });

  it("answers another method with 405 and says which it takes", async () => {
    const taken = NAMES.map((each): Operation => serviceContract[each]).flatMap(({ path, method }) =>
      path === row.path ? [method as string] : [],
    );
    const method = ["GET", "POST"].find((each) => !taken.includes(each)) ?? "PUT";
    const allowed = ["GET", "POST", "PUT"].filter((each) => taken.includes(each)).join(", ");
    const response = await service.fetch(BASE_URL + pathOf(row), { method });
    expect(response.headers.get("allow")).toBe(`${taken.includes("GET") ? "HEAD, " : ""}${allowed}, OPTIONS`);
    expect(await refusalOf(response)).toEqual(["method_not_allowed"]);
    const options = await service.fetch(BASE_URL + pathOf(row), { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")?.includes(row.method)]).toEqual([204, true]);
  });

  if (row.method === "GET")
    it("answers HEAD as GET, without a body", async () => {
      const query = new URLSearchParams(properCalls[name].query);
      const headers = { authorization: `Bearer ${await fintech.accessToken()}` };
      const [head, get] = await Promise.all(
        ["HEAD", "GET"].map((method) => service.fetch(`${BASE_URL}${row.path}?${query}`, { method, headers })),
      );
      expect([head?.status, await head?.text()]).toEqual([get?.status, ""]);
      expect(head?.headers.get("content-type")).toBe(get?.headers.get("content-type"));
    });

  it("answers only errors that its row declares", async () => {
    const response = await raw(name, properCalls[name]);
    if (response.ok) return;
    expect(errorsOf(row)).toContain((await problemOf(response)).code);
  });
});

it("has an unknown path for everything else, with or without a token", async () => {
  for (const path of [
    "/",
    "/transactions",
    "/create-transaction/",
    "/Create-Transaction",
    "/%00",
    "//user",
    "/user/../x",
  ]) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"]) {
      const response = await service.fetch(BASE_URL + path, { method });
      expect([path, method, ...(await refusalOf(response))]).toEqual([path, method, "not_found"]);
    }
  }
});
