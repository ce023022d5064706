import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { liveConsents } from "../../server/broker/access/consent-store.ts";
import { findMerchant } from "../../server/broker/access/merchant-keys.ts";
import { createOpaqueToken, hashToken } from "../../server/broker/access/opaque-token.ts";
import { createSignInSessions } from "../../server/broker/access/sign-in-sessions.ts";
import { findWidgetSession } from "../../server/broker/access/widget-tokens.ts";
import { findOfAttempt } from "../../server/broker/merchants/recharges/recharge-store.ts";
import { livePasskeys } from "../../server/broker/people/account/passkey-store.ts";
import { readLimits } from "../../server/broker/people/protection/limit-store.ts";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";
import { everyRow, expectKept } from "./every-row.ts";

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
const publishable = createOpaqueToken("pk_", random);
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
  const signIns = createSignInSessions({ sql, methods: ["passkey", "button"], clock: () => at, random });
  expect(await signIns.find(signIn ?? "", { active: false })).toMatchObject({ kind: "operator", role: "admin" });
  // No merchant has a power that moves money before an operator grants it.
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
  const after = (days: number) => liveConsents(sql, { userId: user, at: new Date(Date.now() + days * 86_400_000) });
  expect([(await after(89)).length, (await after(91)).length]).toEqual([1, 0]);
});

it("of two tills that used one key, the later sale keeps it, and no sale is lost", async () => {
  await theSchemaAfter("0017-give-powers-to-keys.sql");
  const [merchant, page, user, at] = [v7(), v7(), v7(), new Date()];
  await sql`insert into broker.merchants (id, user_id, name, created_at) values (${merchant}, ${user}, 'Café', ${at})`;
  await sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
      expires_at, shown_until, created_at)
    values (${page}, ${random(32)}, ${random(32)}, ${merchant}, 'recharge', ${ORIGIN}, 1, ${random(32)}, ${at}, ${at},
      ${at})`;
  const sales = [v7(), v7()].sort();
  for (const [index, id] of sales.entries()) {
    await sql`
      insert into broker.recharges (id, session_id, merchant_id, till, day, attempt_key, fingerprint, look_up_id,
        from_user_id, to_user_id, masked_name, amount, currency, state, created_at)
      values (${id}, ${page}, ${merchant}, ${`till ${index}`}, ${at}, 'sale-1', ${random(32)}, ${v7()}, ${user},
        ${v7()}, 'A•••', 1000, 'COP', 'running', ${at})`;
  }
  await migrate(sql, SHIPPED);
  const kept = await sql`select id, attempt_key from broker.recharges order by id`;
  expect(kept.map((row) => row.attempt_key)).toEqual([sales[0], "sale-1"]);
  expect(await findOfAttempt(sql, { merchantId: merchant, key: "sale-1" })).toMatchObject({ id: sales[1] });
});

const LAST_RELEASED = "0008-settle-approvals.sql";
const DAY_MS = 86_400_000;

/** A merchant with every right, its two keys and a page. */
async function aMerchant(at: Date, name: string): Promise<{ readonly id: string; readonly user: string }> {
  const [id, user] = [v7(), v7()];
  await sql`
    insert into broker.merchants (id, user_id, name, open_amount_limit, first_party, sells_top_ups, webhook_url,
      created_at)
    values (${id}, ${user}, ${name}, 5000, true, true, 'https://shop.example/told', ${at})`;
  await sql`insert into broker.merchant_origins (merchant_id, origin) values (${id}, ${ORIGIN})`;
  for (const [key, kind] of [[server, "server"] as const, [publishable, "publishable"] as const]) {
    await sql`
      insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at)
      values (${hashToken(key)}, ${id}, ${kind}, ${at})`;
  }
  await sql`
    insert into broker.merchant_webhook_secrets (merchant_id, id, sealed_secret, created_at)
    values (${id}, '0123abcd', ${random(60)}, ${at})`;
  return { id, user };
}

/** A payer with a passkey that is signed in with it, limits and a link for another device; and an operator. */
async function people(at: Date): Promise<{ readonly payer: string; readonly user: string; readonly passkey: string }> {
  const [payer, user, operator, passkey] = [v7(), v7(), v7(), v7()];
  const later = new Date(at.getTime() + 900_000);
  await sql`
    insert into broker.people (id, user_id, role, operator_role, display_name, created_at)
    values (${payer}, ${user}, 'person', null, 'Ana', ${at}), (${operator}, null, 'operator', 'clerk', 'Olga', ${at})`;
  await sql`
    insert into broker.passkeys (id, person_id, credential_id, public_key, counter, transports, name, created_at,
      may_pay_from)
    values (${passkey}, ${payer}, ${random(20)}, ${random(70)}, 3, '{internal}', 'Phone', ${at}, ${at})`;
  await sql`
    insert into broker.sign_in_sessions (token_hash, person_id, passkey_id, created_at, last_active_at)
    values (${hashToken(signIn)}, ${payer}, ${passkey}, ${at}, ${at})`;
  await sql`update broker.entity_rules set payment_limit = 900000, first_time_limit = 50000`;
  await sql`
    insert into broker.own_limits (person_id, payment_limit, changed_at) values (${payer}, 70000, ${at})`;
  for (const maker of [operator, payer, null]) {
    await sql`
      insert into broker.enrolments (id, secret_hash, code_hash, tries_left, person_id, delayed, made_by, needs_second,
        created_at, expires_at)
      values (${v7()}, ${random(32)}, ${random(32)}, 5, ${payer}, true, ${maker}, false, ${at}, ${later})`;
  }
  return { payer, user, passkey };
}

/** Inserts approvals of a user that are open, running, approved and failed; and a session of a page with a grant. */
async function approvals(at: Date, user: string, merchant: { readonly id: string; readonly user: string }) {
  for (const state of ["open", "running", "approved", "failed"]) {
    const [started, finished] = [state === "open" ? null : at, ["open", "running"].includes(state) ? null : at];
    await sql`
      insert into broker.approvals (id, random, user_id, operation, payer_id, payee_id, payee, first_time_payee, amount,
        currency, check_code, payload, method, state, created_at, expires_at, started_at, finished_at, transaction_id)
      values (${v7()}, ${random(32)}, ${user}, 'pay', ${user}, ${merchant.user}, 'Café', true, 2500, 'COP', 'K7M3',
        '000201', 'passkey', ${state}, ${at}, ${at}, ${started}, ${finished}, ${state === "approved" ? v7() : null})`;
  }
  const grant = v7();
  await sql`
    insert into broker.grants (id, user_id, merchant_id, created_at, last_used_at)
    values (${grant}, ${user}, ${merchant.id}, ${at}, ${at})`;
  await sql`
    insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
      expires_at, shown_until, created_at, subject_user_id, grant_id)
    values (${v7()}, ${hashToken(session)}, ${random(32)}, ${merchant.id}, 'quota', ${ORIGIN}, 1, ${random(32)},
      ${new Date(at.getTime() + DAY_MS)}, ${new Date(at.getTime() + DAY_MS)}, ${at}, ${user}, ${grant})`;
}

it("a broker of the last release keeps every row, and people and merchants what they may do", async () => {
  const at = new Date();
  await theSchemaAfter(LAST_RELEASED);
  const [merchant, { payer, user, passkey }] = [await aMerchant(at, "Café"), await people(at)];
  await approvals(at, user, merchant);
  const all = await everyRow(sql, "broker");
  // A link and code that a single operator saw are no longer valid, and nothing else is changed.
  const { enrolments = [], ...others } = Object.fromEntries([...all].filter(([, rows]) => rows.length > 0));
  expect(await migrate(sql, SHIPPED)).toEqual(MIGRATIONS.filter((name) => name > LAST_RELEASED));
  const after = await everyRow(sql, "broker");
  expectKept(new Map(Object.entries(others)), after);
  const open = (after.get("enrolments") ?? []).filter((row) => row.withdrawn_at === null);
  expect(open.map((row) => row.made_by).sort()).toEqual([payer, null]);
  expect(after.get("enrolments")).toHaveLength(enrolments.length);

  expect(await findMerchant(sql, server)).toMatchObject({
    firstParty: true,
    sellsTopUps: true,
    openAmountLimit: 5000n,
  });
  expect(await findMerchant(sql, publishable)).toMatchObject({ kind: "publishable", openAmountLimit: 5000n });
  expect(await findWidgetSession(sql, session ?? "", at)).toMatchObject({ kind: "quotaSession", subjectUserId: user });
  expect(await livePasskeys(sql, payer)).toMatchObject([{ id: passkey, counter: 3, name: "Phone" }]);
  const signIns = createSignInSessions({ sql, methods: ["passkey"], clock: () => at, random });
  expect(await signIns.find(signIn ?? "", { active: false })).toMatchObject({ kind: "person", userId: user });
  expect(await readLimits(sql, user, { since: at, at })).toEqual({
    entity: { payment: 900_000n, day: null, first_time_payee: 50_000n },
    own: { payment: 70_000n, day: null, first_time_payee: null },
    spent: 5000n,
  });
  const live = await liveConsents(sql, { userId: user, at: new Date(at.getTime() + 89 * DAY_MS) });
  expect(live).toMatchObject([{ merchant_id: merchant.id, created_at: at }]);
  // Only the failed approval is asked for once more, and only the open one is paid to a new payee.
  expect((await sql`select state from broker.approvals where unconfirmed`).map((row) => row.state)).toEqual(["failed"]);
  expect((await sql`select state from broker.approvals where new_payee`).map((row) => row.state)).toEqual(["open"]);
});

it("server keys keep the powers that they had, and one that waits for a second admin waits on", async () => {
  const at = new Date();
  await theSchemaAfter("0016-end-sessions-by-proof.sql");
  const { id: merchant } = await aMerchant(at, "Café");
  const [waiting, operator, change] = [createOpaqueToken("sk_", random), v7(), v7()];
  await sql`
    insert into broker.people (id, role, operator_role, display_name, created_at)
    values (${operator}, 'operator', 'admin', 'Olga', ${at})`;
  await sql`
    insert into broker.merchant_keys (key_hash, merchant_id, kind, created_at, restricted)
    values (${hashToken(waiting)}, ${merchant}, 'server', ${at}, true)`;
  await sql`
    insert into broker.merchant_changes
      (id, merchant_id, first_party, sells_top_ups, key_hash, random, made_by, created_at, expires_at)
    values (${change}, ${merchant}, false, false, ${hashToken(waiting)}, ${random(32)}, ${operator}, ${at}, ${at})`;
  await migrate(sql, SHIPPED);
  expect(await findMerchant(sql, server)).toMatchObject({ sellsTopUps: true, firstParty: true, restricted: false });
  expect(await findMerchant(sql, waiting)).toMatchObject({ sellsTopUps: false, firstParty: false, restricted: true });
  expect(await sql`select change_id, key_hash from broker.merchant_change_keys`).toMatchObject([
    { change_id: change, key_hash: Buffer.from(hashToken(waiting)) },
  ]);
});
