import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyCommand } from "../../server/commands/key-command.ts";
import type { CommandOutput } from "../../server/commands/terminal-command.ts";
import { commandSettings } from "../support/command-settings.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";
import { problemOf } from "../support/service-calls.ts";

/** From a rotation to the new key's first signature, and how often processes look. */
const LEAD_SECONDS = 600;
const MINUTE = 60;
const TOKEN_LIFETIME = 3_600;

let service: TestService;
let fintech: TestEntity;

beforeEach(async () => {
  service = await aService();
  fintech = await service.anEntity();
});
afterEach(() => service.stop());

/** Runs `npm run key` at the service's time, and returns what it says. */
function keySaid(...args: readonly string[]): Promise<CommandOutput> {
  const { sql, key: serviceKey, clock } = service;
  const fixture = { sql, key: serviceKey, clock, random: randomBytes, newId: () => v7(), ...commandSettings };
  return keyCommand.plan(args)(fixture);
}

const key = async (...args: readonly string[]) => (await keySaid(...args)).data as { readonly kid: string };

const kidOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

const statusWith = async (token: string) =>
  (await service.fetch(`${BASE_URL}/api-clients`, { headers: { authorization: `Bearer ${token}` } })).status;

async function published(path: string): Promise<readonly { readonly kid: string; readonly revoked?: boolean }[]> {
  const response = await service.fetch(`${BASE_URL}/.well-known/${path}`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys;
}

describe("npm run key -- rotate token", () => {
  it("publishes the new key ten minutes before it signs, and keeps the old one's tokens good", async () => {
    const before = kidOf(await fintech.accessToken());
    const { kid } = await key("rotate", "token");
    service.advance(MINUTE);
    expect((await published("jwks.json")).map((each) => each.kid)).toEqual([before, kid]);
    service.advance(LEAD_SECONDS - 3 * MINUTE);
    const late = await fintech.accessToken("read");
    expect(kidOf(late)).toBe(before);
    service.advance(3 * MINUTE);
    expect(kidOf(await fintech.accessToken())).toBe(kid);
    // Half a minute before its end, and half a minute after it.
    service.advance(TOKEN_LIFETIME - 3 * MINUTE - MINUTE / 2);
    expect(await statusWith(late)).toBe(200);
    service.advance(MINUTE);
    expect(await statusWith(late)).toBe(401);
    service.advance(10 * MINUTE);
    expect((await published("jwks.json")).map((each) => each.kid)).toEqual([kid]);
  });

  it("asked again before the new key signs, names the one that waits", async () => {
    const { kid } = await key("rotate", "token");
    expect(await key("rotate", "token")).toMatchObject({ kid, state: "waits" });
  });
});

describe("npm run key -- revoke", () => {
  it("refuses within one minute the tokens that a key signed; new ones are good at once", async () => {
    const token = await fintech.accessToken();
    expect(await statusWith(token)).toBe(200);
    await key("revoke", kidOf(token));
    service.advance(MINUTE);
    expect(await statusWith(token)).toBe(401);
    const fresh = await fintech.accessToken();
    expect(kidOf(fresh)).not.toBe(kidOf(token));
    expect(await statusWith(fresh)).toBe(200);
  });

  it("is kept in the audit, as a rotation is", async () => {
    const { kid } = await key("rotate", "qr");
    await key("revoke", kid);
    const records = await service.sql`
      select made_by, action, outcome from service.access_records where subject = ${kid} order by id`;
    const by = { made_by: "command line", outcome: "done" };
    expect(records.map((record) => ({ ...record }))).toEqual([
      { ...by, action: "rotateSigningKey" },
      { ...by, action: "revokeSigningKey" },
    ]);
  });
});

describe("payment codes", () => {
  async function pay(payload: string, from: string, to: string): Promise<Response> {
    return service.fetch(`${BASE_URL}/create-transaction`, {
      method: "POST",
      headers: { authorization: `Bearer ${await fintech.accessToken()}`, "content-type": "application/json" },
      body: JSON.stringify({ amount: 5, from_user_id: from, to_user_id: to, details: { qr: payload } }),
    });
  }

  it("signed before a rotation are still paid after it; those of a revoked key are not", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const aCode = async () =>
      (await fintech.client.createTransactionQr({ body: { to_user_id: shop.id } })).body.payload;
    const printed = await aCode();
    const [signing] = await published("cupo-qr-keys.json");
    await key("rotate", "qr");
    service.advance(LEAD_SECONDS + MINUTE);
    expect((await pay(printed, ana.id, shop.id)).status).toBe(201);
    service.advance(MINUTE);
    const young = await aCode();
    expect((await published("cupo-qr-keys.json")).length).toBe(2);
    await key("revoke", signing?.kid ?? "");
    service.advance(MINUTE);
    expect((await problemOf(await pay(printed, ana.id, shop.id))).code).toBe("qr_not_authentic");
    expect((await pay(young, ana.id, shop.id)).status).toBe(201);
    const revoked = (await published("cupo-qr-keys.json")).filter((each) => each.revoked);
    expect(revoked.map(({ kid }) => kid)).toEqual([signing?.kid]);
  });

  it("that replace those of a revoked key are to be made a minute later, as the terminal says", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 100 }), await aUser(fintech)];
    const body = { to_user_id: shop.id };
    await fintech.client.createTransactionQr({ body });
    const [signing] = await published("cupo-qr-keys.json");
    const { text } = await keySaid("revoke", signing?.kid ?? "");
    expect(text).toContain("Wait that minute, then make new ones, printed");
    const tooEarly = (await fintech.client.createTransactionQr({ body })).body.payload;
    service.advance(MINUTE);
    expect((await problemOf(await pay(tooEarly, ana.id, shop.id))).code).toBe("qr_not_authentic");
    const { payload } = (await fintech.client.createTransactionQr({ body })).body;
    expect((await pay(payload, ana.id, shop.id)).status).toBe(201);
  });
});
