import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { aTlsRelay } from "../../../test/support/tls-relay.ts";
import { connect } from "../connect.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** How a server that offers TLS or not is reached with a mode. */
async function reachedBy(mode: string, offers: boolean): Promise<unknown> {
  const url = new URL(database.url);
  const relay = await aTlsRelay(Number(url.port), offers);
  url.port = String(relay.port);
  const pool = connect(`${url.href}?sslmode=${mode}`, { max: 1, applicationName: "tls test" });
  try {
    await pool`select 1`;
    return relay.seen.encrypted > 0 ? "encrypted" : "plain";
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  } finally {
    await pool.end({ timeout: 1 });
    relay.close();
  }
}

describe("a server whose certificate nobody vouches for", () => {
  it.each([
    ["disable", "plain"],
    ["prefer", "encrypted"],
    ["allow", "encrypted"],
    ["require", "encrypted"],
    ["verify-ca", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["verify-full", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("with sslmode=%s is reached: %s", async (mode, outcome) => {
    expect(await reachedBy(mode, true)).toBe(outcome);
  });
});

describe("a server without TLS", () => {
  const refusal = expect.stringContaining("does not support SSL");

  it.each([
    ["disable", "plain"],
    ["prefer", "plain"],
    ["require", refusal],
    ["verify-full", refusal],
  ])("with sslmode=%s is reached: %s", async (mode, outcome) => {
    expect(await reachedBy(mode, false)).toEqual(outcome);
  });
});

it("an option that we do not know is a setting of the session", async () => {
  const pool = connect(`${database.url}?lock_timeout=7s&application_name=mine`, { max: 1, applicationName: "test" });
  const [row] = await pool`select current_setting('lock_timeout') as lock, current_setting('application_name') as name`;
  expect(row).toEqual({ lock: "7s", name: "mine" });
  await pool.end();
});
