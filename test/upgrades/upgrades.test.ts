import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import { directionKey } from "../../server/ledger/model/exposure.ts";
import { loadExposures } from "../../server/ledger/storage/load-exposures.ts";
import { Writer } from "../../server/ledger/writer.ts";
import { foldHistograms } from "../../server/service/reports/fold-histograms.ts";
import { outcomesOf } from "../../server/service/shared/stored-answer.ts";
import { foldPayeeTotals } from "../../server/service/transactions/fold-payee-totals.ts";
import { ledgerFaults, plainEventBody } from "../support/a-ledger.ts";
import { aDatabase, type TestDatabase } from "../support/database.ts";
import { aCommand, anOrigin, aPayment, aTransfer, DAY, NOW } from "../support/ledger.ts";
import { type EveryRow, everyRow, expectKept } from "./every-row.ts";
import { ROLL_UP_TABLES, readRollUps } from "./read-roll-ups.ts";

const SHIPPED = join(import.meta.dirname, "../../server/database/migrations/service");
const MIGRATIONS = readdirSync(SHIPPED).sort();
/** Migrations that came in one version with the ones after them: no database ever ended with them. */
const NEVER_LAST = new Set([
  ...["0003-extend-records.sql", "0004-create-roll-ups.sql", "0005-create-webhooks.sql"],
  "0006-record-access.sql",
]);
/** The first migration of the version that is not released yet: whoever begins the next one moves it, with a dump. */
const UNRELEASED = "0008-add-lenders.sql";
/** Since this one, roll-ups are kept with every posting: an upgrade has none to make of the rows before. */
const ROLL_UPS = "0004-create-roll-ups.sql";
/** Tables with another name now. */
const RENAMED = ["transaction_status_changes"];
/** Versions by their latest migration, which their dump is named after. */
const VERSIONS = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".dump"))
  .map((name) => name.replace(".dump", ".sql"))
  .sort();

let database: TestDatabase;
let sql: Sql;
let root: string;

beforeEach(async () => {
  database = await aDatabase();
  sql = connect(database.url, { max: 2, applicationName: "upgrade test" });
  root = mkdtempSync(join(tmpdir(), "cupo-upgrade-"));
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  rmSync(root, { recursive: true });
});

/** Makes the database of an earlier version: its migrations, the hashes that they had then, and its rows. */
async function restore(version: string): Promise<void> {
  const folder = join(root, "service");
  mkdirSync(folder);
  const earlier = MIGRATIONS.filter((name) => name <= version);
  for (const name of earlier) copyFileSync(join(SHIPPED, name), join(folder, name));
  expect(await migrate(sql, folder)).toEqual(earlier);
  await sql.unsafe(readFileSync(join(import.meta.dirname, version.replace(".sql", ".dump")), "utf8")).simple();
}

/** Roll-ups that an upgrade makes anew: statistics, which counted present statuses, and days without entry numbers. */
const MADE_ANEW = [
  "account_days",
  "transaction_days",
  "transaction_histograms",
  "transaction_histograms: median and 95th percentile",
  "transaction_months",
  "rejection_days",
];

/** Leaves out what an upgrade makes anew. */
function withoutMadeAnew(before: EveryRow): EveryRow {
  return new Map([...before].filter(([table]) => !MADE_ANEW.includes(table)));
}

/** Upgrades a version's database, lets two of its users pay and transfer, and replays an earlier answer. */
async function goOn(version: string): Promise<unknown> {
  await restore(version);
  await migrate(sql, SHIPPED);
  const writer = new Writer({
    sql,
    clock: () => NOW,
    nextId: uuid,
    businessDay: () => DAY,
    slot: 3,
    counterpartyLimit: 10n ** 18n,
    eventBody: plainEventBody,
  });
  const [from, to] = await sql<{ id: string; entity: string; client: string }[]>`
    select u.id, u.creator_id as entity, (
      select c.id from service.api_clients c where c.entity_id = u.creator_id order by c.created_at limit 1) as client
    from service.users u join service.accounts a on a.id = u.id order by a.posted desc limit 2`;
  if (from === undefined || to === undefined) throw new Error("the dump must hold two users");
  const origin = anOrigin({ id: from.entity, clientId: from.client });
  for (const make of [aPayment, aTransfer]) {
    const { body } = await writer.post(aCommand(origin, make(from.id, to.id, 10n)));
    expect(body).toMatchObject({ status: "approved", amount: "10" });
  }
  const idempotency = { key: "order-1", fingerprint: "fingerprint" };
  const again = { ...origin, operation: "createTransaction", idempotency };
  const replay = await writer.post(aCommand(again, aPayment(from.id, to.id, 10n)));
  await writer.close();
  return replay;
}

describe.each(VERSIONS)("a database that was last migrated by %s", (version) => {
  it("gets the later migrations, and keeps every row as it was", async () => {
    await restore(version);
    const before = await everyRow(sql, "service");
    expect(await migrate(sql, SHIPPED)).toEqual(MIGRATIONS.filter((name) => name > version));
    expectKept(withoutMadeAnew(before), await everyRow(sql, "service"));
    const { stored, expected } = await readRollUps(sql);
    for (const name of MADE_ANEW) expect([name, stored[name]]).toEqual([name, expected[name]]);
    expect(await ledgerFaults(sql)).toEqual([]);
  });

  it("gets no other new rows than those that say again what its rows say", async () => {
    await restore(version);
    const before = await everyRow(sql, "service");
    await migrate(sql, SHIPPED);
    const filled = [...(await everyRow(sql, "service"))].filter(
      ([table, rows]) => !before.has(table) && rows.length > 0,
    );
    const made = [...ROLL_UP_TABLES, "counterparty_limits", "counterparty_slices", "payee_folds", ...RENAMED];
    expect(filled.map(([table]) => table)).toEqual(made.filter((table) => !before.has(table)).sort());
  });

  it("limits what an entity owes another to twice that at least, and to the installation's limit", async () => {
    await restore(version);
    await migrate(sql, SHIPPED);
    const owed = await sql<{ creditor_id: string; debtor_id: string; posted: bigint; held: bigint }[]>`
      select entity_id as creditor_id, counterparty_id as debtor_id, -sum(posted)::bigint as posted, (
        select coalesce(sum(amount), 0)::bigint from service.transactions where status = 'pending'
          and to_creator_id = a.entity_id and from_creator_id = a.counterparty_id) as held
      from service.accounts a where kind in ('due_from', 'due_to') group by 1, 2`;
    expect(owed.filter(({ posted }) => posted > 0n)).not.toHaveLength(0);
    const directions = owed.map((each) => ({ creditorId: each.creditor_id, debtorId: each.debtor_id }));
    const reading = { slot: 3, defaultLimit: 1n, whole: new Set<string>(), locks: false };
    const exposures = await sql.begin((tx) => loadExposures(tx, directions, reading));
    for (const { creditor_id: creditorId, debtor_id: debtorId, posted, held } of owed) {
      const exposure = exposures.get(directionKey({ creditorId, debtorId }));
      const used = posted + held;
      const limit = used > 0n ? 2n * used : 1n;
      expect(exposure).toMatchObject({ limit, setLimit: null, others: { used, held } });
    }
  });

  it("goes on: its users pay and transfer, and an earlier answer is found under its key", async () => {
    expect(await goOn(version)).toEqual({ replayed: true, body: { status: "approved", amount: 25.5 } });
    expect(await ledgerFaults(sql)).toEqual([]);
  });
});

describe.each(VERSIONS.filter((version) => version < ROLL_UPS))(
  "a database of before there were roll-ups, by %s",
  (version) => {
    it("gets those that say what its rows say", async () => {
      await restore(version);
      await migrate(sql, SHIPPED);
      const { stored, expected } = await readRollUps(sql);
      for (const [name, content] of Object.entries(expected)) {
        expect([name, Object.keys(content).length > 0]).toEqual([name, true]);
      }
      expect(stored).toEqual(expected);
    });

    it("keeps them so when it goes on", async () => {
      await goOn(version);
      await foldPayeeTotals({ sql, changesFrom: async () => new Date(Date.now() + 3_600_000) });
      await foldHistograms({ sql });
      const { stored, expected } = await readRollUps(sql);
      expect({ ...stored, "accounts: spent": null }).toEqual({ ...expected, "accounts: spent": null });
    });
  },
);

it("clients keep what they could do, and each of two that used one key its own answer", async () => {
  const version = VERSIONS.at(-1) ?? "";
  await restore(version);
  const [client] = await sql<{ id: string; entity: string }[]>`
    select id, entity_id as entity from service.api_clients order by id limit 1`;
  if (client === undefined) throw new Error("the dump must hold an API client");
  const [older, newer] = ["client_older00000000000", "client_newer00000000000"];
  const [first, later] = [new Date(NOW.getTime() - 2_000), new Date(NOW.getTime() - 1_000)];
  for (const [id, at] of [[older, first] as const, [newer, later] as const]) {
    await sql`
      insert into service.api_clients (id, entity_id, name, created_at) values (${id}, ${client.entity}, 'C', ${at})`;
    const answer = JSON.stringify({ body: JSON.stringify({ by: id }) });
    await sql`
      insert into service.idempotency_records (client_id, operation, key, fingerprint, answer, created_at)
      values (${id}, 'createTransaction', 'same', 'fingerprint', ${answer}::json, ${at})`;
  }
  await migrate(sql, SHIPPED);
  const scopes = await sql<{ scopes: string[] }[]>`select distinct scopes from service.api_clients`;
  expect(scopes.map((row) => row.scopes)).toEqual([["read", "pay", "users", "quota", "administration"]]);
  const replayOf = async (clientId: string) => {
    const { find } = outcomesOf(sql, { clientId, entityId: client.entity, operation: "createTransaction" });
    return find("same");
  };
  for (const [asker, answered] of [
    [older, older],
    [newer, newer],
    [client.id, older],
  ] as const) {
    expect(await replayOf(asker)).toEqual({ fingerprint: "fingerprint", outcome: { body: { by: answered } } });
  }
});

it.each([
  ["a posting", ["accounts", "users", "credits", "transactions"]],
  ["a settlement", ["transactions", "accounts", "users", "credits"]],
])("an upgrade waits for %s that a process of before has begun, and lets it end", async (_what, tables) => {
  const version = VERSIONS.at(-1) ?? "";
  await restore(version);
  const others = connect(database.url, { max: 2, applicationName: "upgrade test" });
  let migrated: Promise<readonly string[]> | undefined;
  await others.begin(async (tx) => {
    const [first = "", ...later] = tables;
    await tx`select from ${tx(`service.${first}`)} limit 1 for update`;
    migrated = migrate(sql, SHIPPED);
    const waiting = () => others`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`;
    await vi.waitFor(async () => expect(await waiting()).not.toHaveLength(0), { timeout: 10_000 });
    for (const table of later) await tx`select from ${tx(`service.${table}`)} limit 1 for update`;
    for (const table of ["entries", "postings", "entities"]) await tx`select from ${tx(`service.${table}`)} limit 1`;
    await tx`update service.users set score = 1 where nit = '9701'`;
  });
  expect(await migrated).toEqual(MIGRATIONS.filter((name) => name > version));
  expect(await others`select from service.users where score = 1`).toHaveLength(1);
  await others.end();
});

it("a process of the version before, without limits, cannot read for whom it would post", async () => {
  await restore(VERSIONS.at(-1) ?? "");
  const read = () => sql`select payment_limit, daily_limit, foreign_lenders from service.entities for share`;
  expect(await read()).not.toHaveLength(0);
  await migrate(sql, SHIPPED);
  await expect(read()).rejects.toThrow('column "foreign_lenders" does not exist');
});

it("there is a dump of every version but the present one", () => {
  expect(VERSIONS).toEqual(MIGRATIONS.filter((name) => name < UNRELEASED && !NEVER_LAST.has(name)));
});
