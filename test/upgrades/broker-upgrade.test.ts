import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { liveGrants } from "../../server/broker/grants/grant-store.ts";
import { findMerchant, findWidgetSession } from "../../server/broker/principals/merchant-keys.ts";
import { createOpaqueToken, hashToken } from "../../server/broker/principals/opaque-token.ts";
import { createSignInSessions } from "../../server/broker/principals/sign-in-sessions.ts";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";

const SHIPPED = join(import.meta.dirname, "../../server/database/migrations/broker");
const MIGRATIONS = readdirSync(SHIPPED).sort();
const BEFORE = "0003-keep-upstream-secrets.sql";
const ORIGIN = "https://shop.example";

let database: TestDatabase;
let sql: Sql;
let root: string;

beforeEach(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 2, applicationName: "broker upgrade test" });
  root = mkdtempSync(join(tmpdir(), "cupo-broker-upgrade-"));
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  rmSync(root, { recursive: true });
});

const random = (length: number) => new Uint8Array(randomBytes(length));
const server = createOpaqueToken("sk_", random);
const session = createOpaqueToken("ws_", random);
const signIn = createOpaqueToken("si_", random);

/** The broker's schema as it was after a migration. */
async function theSchemaAfter(last: string): Promise<void> {
  const folder = join(root, "broker");
  mkdirSync(folder);
  const earlier = MIGRATIONS.filter((name) => name <= last);
  for (const name of earlier) copyFileSync(join(SHIPPED, name), join(folder, name));
  expect(await migrate(sql, folder)).toEqual(earlier);
}

/** The broker's schema as it was, with a merchant whose page shows a code, and an operator who is signed in. */
async function theVersionBefore(at: Date): Promise<void> {
  await theSchemaAfter(BEFORE);
  const [merchant, operator, later] = [v7(), v7(), new Date(at.getTime() + 900_000)];
  await sql`
    insert into broker.people (id, role, display_name, created_at) values (${operator}, 'operator', 'Olga', ${at})`;
  await sql`
    insert into broker.sign_in_sessions (token_hash, person_id, created_at, last_active_at)
    values (${hashToken(signIn)}, ${operator}, ${at}, ${at})`;
  await sql`
    insert into broker.merchants (id, user_id, name, created_at) values (${merchant}, ${v7()}, 'Café', ${at})`;
  await sql`insert into broker.merchant_origins (merchant_id, origin) values (${merchant}, ${ORIGIN})`;
  await sql`
    insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at)
    values (${hashToken(server)}, ${merchant}, 'server', ${at})`;
  await sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
      reference, expires_at, shown_until, created_at)
    values (${v7()}, ${hashToken(session)}, ${random(32)}, ${merchant}, 'pay', ${ORIGIN}, 1, ${random(32)},
      'K7M39QXT2V4FW', ${later}, ${later}, ${at})`;
}

it("a broker of the version before keeps its sessions, keys and sign-ins", async () => {
  const at = new Date();
  await theVersionBefore(at);
  expect(await migrate(sql, SHIPPED)).toEqual(MIGRATIONS.filter((name) => name > BEFORE));
  expect(await findMerchant(sql, server)).toMatchObject({ kind: "merchant", name: "Café" });
  const shown = await findWidgetSession(sql, session ?? "", at);
  expect(shown).toMatchObject({ kind: "paySession", reference: "K7M39QXT2V4FW", origin: ORIGIN });
  const signIns = createSignInSessions({ sql, demo: true, clock: () => at, random });
  expect(await signIns.find(signIn ?? "", { active: false })).toMatchObject({ kind: "operator", role: "admin" });
  // What money may leave by is nobody's before an operator says so.
  const [merchant] = await sql`select first_party, sells_top_ups, webhook_url, disabled_at from broker.merchants`;
  expect(merchant).toEqual({ first_party: false, sells_top_ups: false, webhook_url: null, disabled_at: null });
});

it("grants that were given before lapse 90 days after the upgrade, however old they are", async () => {
  await theSchemaAfter("0010");
  const [merchant, user, longAgo] = [v7(), v7(), new Date("2024-01-01T12:00:00.000Z")];
  await sql`
    insert into broker.merchants (id, user_id, name, created_at) values (${merchant}, ${v7()}, 'Café', ${longAgo})`;
  await sql`
    insert into broker.grants (id, user_id, merchant_id, created_at)
    values (${v7()}, ${user}, ${merchant}, ${longAgo})`;
  await migrate(sql, SHIPPED);
  const after = (days: number) => liveGrants(sql, { userId: user, at: new Date(Date.now() + days * 86_400_000) });
  expect([(await after(89)).length, (await after(91)).length]).toEqual([1, 0]);
});
