import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { businessTime } from "../../../src/business-time.ts";
import { aService, aUser, type TestEntity, type TestService } from "../../../test/support/service.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { selectEntityEntries } from "../books/select-entity-entries.ts";
import { selectUserEntries } from "../books/select-user-entries.ts";
import { selectCredits } from "../credits/credits.ts";
import { selectTransfers } from "../ledger/ledger-transaction-history.ts";
import {
  selectChangedTransactions,
  selectTransactions,
  type TransactionFilter,
} from "../transactions/list-transactions.ts";
import { selectUsers } from "../users/users.ts";
import { idUpperBound } from "./id-below.ts";

/** Old rows, all of the user that is queried, and newer rows, all of others. */
const OLD_ROWS = 6_000;
const NEW_ROWS = 3_000;
const [OLD_MS, NEW_MS] = [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)];
const MINUTE_MS = 60_000;
const LIMIT = 20;
const PAGE = { limit: LIMIT, before: null, after: null, changesFrom: 0 };
const OPEN = { from: null, to: null };
const STATUSES = ["pending", "approved", "rejected", "reversed"];
const KINDS = ["payment", "batch", "recharge", "qr", "refund"];

let service: TestService;
let one: TestEntity;
let two: TestEntity;
let shop: string;
let everything: TransactionFilter;

/** SQL for the id of a row: one a minute from an instant on. */
function idSql(startMs: number): string {
  return `(regexp_replace(lpad(to_hex(${startMs} + n::bigint * ${MINUTE_MS}), 12, '0'),
    '(.{8})(.{4})', '\\1-\\2') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
}

/** Copies rows of a table so often, one a minute from an instant on, with the columns that are given as SQL. */
async function copyRows(
  table: string,
  which: string,
  copies: number,
  startMs: number,
  changes: Record<string, string>,
) {
  const { sql } = service;
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'service' and table_name = ${table}`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => (changes[name] === undefined ? `t.${name}` : changes[name]));
  const at = `to_timestamp((${startMs} + n::bigint * ${MINUTE_MS}) / 1000.0)`;
  const select = values.map((value) => value.replaceAll("$id", idSql(startMs)).replaceAll("$at", at));
  await sql.unsafe(`insert into service.${table} (${names.join(", ")})
    select ${select.join(", ")} from service.${table} t, generate_series(1, ${copies}) n where ${which}`);
}

/** Counts the rows that a list reads of its table and of those beside it, by a custom plan and by a generic one. */
async function rowsRead(list: (tx: Sql) => Promise<readonly unknown[]>): Promise<{ found: number; read: number[] }> {
  const counted = (tx: Tx) => tx<{ count: string }[]>`
    select sum(seq_tup_read + idx_tup_fetch)::text as count from pg_stat_xact_user_tables
    where schemaname = 'service' and relname in ('transactions', 'transaction_changes', 'transfers', 'users',
      'credits', 'entries', 'entity_entries')`;
  let found = 0;
  const read: number[] = [];
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    await service.sql.begin(async (tx) => {
      await tx.unsafe(`set local plan_cache_mode = ${mode}; set local max_parallel_workers_per_gather = 0`);
      const [before] = await counted(tx);
      found = (await list(tx as unknown as Sql)).length;
      const [after] = await counted(tx);
      read.push(Number(after?.count) - Number(before?.count));
    });
  }
  return { found, read };
}

/** Expects a whole page and one row more, and at most so many rows read for each of them. */
async function expectPage(list: (tx: Sql) => Promise<readonly unknown[]>, rowsForEach = 1): Promise<void> {
  const { found, read } = await rowsRead(list);
  expect(found).toBe(LIMIT + 1);
  for (const count of read) expect(count).toBeLessThanOrEqual(rowsForEach * (LIMIT + 1) + 10);
}

async function growTransactions(payer: string): Promise<void> {
  const { sql } = service;
  const mine = `t.from_user_id = '${payer}' and t.created_at > now() - interval '1 hour'`;
  const [own, strange] = [one, two].map(({ entityId }) => `'${entityId}'::uuid`);
  const old = {
    id: "$id",
    reference: "'old' || n",
    created_at: "$at",
    // Rarely, and long ago, users of another entity paid the shop.
    from_creator_id: `case when n % 100 = 0 then ${strange} else ${own} end`,
    status: "case when n between 1000 and 1100 then 'pending' else 'approved' end",
    kind: "case when n between 2000 and 2100 then 'qr' else 'payment' end",
  };
  await copyRows("transactions", mine, OLD_ROWS, OLD_MS, old);
  const since = { id: "$id", reference: "'new' || n", created_at: "$at", to_user_id: "md5((n % 100)::text)::uuid" };
  await copyRows("transactions", mine, NEW_ROWS, NEW_MS, since);
  await sql`
    insert into service.transaction_changes
    select to_user_id, id, id from service.transactions where reference like 'old%' or reference like 'new%'`;
}

async function growTransfers(payer: string): Promise<void> {
  const mine = `t.from_user_id = '${payer}' and t.created_at > now() - interval '1 hour'`;
  const old = { id: "$id", reference: "'old' || n", created_at: "$at" };
  await copyRows("transfers", mine, OLD_ROWS, OLD_MS, old);
  const since = { id: "$id", reference: "'new' || n", created_at: "$at", to_user_id: "md5((n % 100)::text)::uuid" };
  await copyRows("transfers", mine, NEW_ROWS, NEW_MS, since);
}

async function growUsers(payer: string): Promise<void> {
  const [granted] = await service.sql<{ postingId: string }[]>`
    select posting_id as "postingId" from service.credits where user_id = ${payer}`;
  const posting = `posting_id = '${granted?.postingId}'`;
  for (const [copies, startMs, { entityId }, name] of [
    [OLD_ROWS, OLD_MS, one, "old"],
    [NEW_ROWS, NEW_MS, two, "new"],
  ] as const) {
    const names = { nit: `'${name}' || n`, phone: `'${name}' || n`, creator_id: `'${entityId}'::uuid` };
    await copyRows("users", `id = '${shop}'`, copies, startMs, { ...names, id: "$id", changed_id: "$id" });
    await copyRows("accounts", `id = '${shop}'`, copies, startMs, { id: "$id", entity_id: names.creator_id });
    const owned = { id: "$id", changed_id: "$id", posting_id: "$id", entity_id: names.creator_id };
    await copyRows("credits", posting, copies, startMs, owned);
    await copyRows("postings", `id = '${granted?.postingId}'`, copies, startMs, { id: "$id", created_at: "$at" });
    const entry = { posting_id: "$id", sequence_number: "1000 + n" };
    const account = name === "old" ? `'${shop}'::uuid` : "$id";
    await copyRows("entries", `${posting} and amount > 0`, copies, startMs, { ...entry, account_id: account });
    const books = { ...entry, entity_id: names.creator_id, account_id: account };
    await copyRows("entity_entries", `${posting} and kind = 'credits_receivable'`, copies, startMs, books);
  }
}

beforeAll(async () => {
  service = await aService();
  [one, two] = [await service.anEntity(), await service.anEntity()];
  const payer = (await aUser(one, { quota: 1_000 })).id;
  shop = (await aUser(one)).id;
  everything = {
    ...OPEN,
    userId: shop,
    creatorId: one.entityId,
    viewerId: one.entityId,
    direction: "received",
    statuses: STATUSES,
    kinds: KINDS,
  };
  const body = { from_user_id: payer, to_user_id: shop, amount: 1 };
  await one.client.createTransaction({ body });
  await one.client.createLedgerTransaction({ body });
  await growTransactions(payer);
  await growTransfers(payer);
  await growUsers(payer);
  await service.sql`analyze`;
}, 60_000);
afterAll(() => service.stop());

describe("a list of one who had most of the older rows and has none of the latest", () => {
  it("reads of payments no more than a page of each direction", async () => {
    await expectPage((sql) => selectTransactions({ sql }, everything, PAGE));
    await expectPage((sql) => selectTransactions({ sql }, { ...everything, direction: "all" }, PAGE), 2);
    const before = idUpperBound(OLD_MS + 4_000 * MINUTE_MS);
    await expectPage((sql) => selectTransactions({ sql }, everything, { ...PAGE, before }));
  });

  it("reads what another entity may see, and nothing else", async () => {
    const filter = { ...everything, viewerId: two.entityId };
    await expectPage((sql) => selectTransactions({ sql }, filter, PAGE));
  });

  it("finds payments of a seldom status or kind without passing by the others", async () => {
    await expectPage((sql) => selectTransactions({ sql }, { ...everything, statuses: ["pending"] }, PAGE));
    await expectPage((sql) => selectTransactions({ sql }, { ...everything, kinds: ["qr"] }, PAGE));
  });

  it("reads nothing for a status that the list never has", async () => {
    const { read } = await rowsRead((sql) => selectTransactions({ sql }, { ...everything, statuses: [] }, PAGE));
    expect(read).toEqual([0, 0]);
  });

  it("stops at the limit within a period, whatever share of it the payments seem to be", async () => {
    const [from, to] = [new Date(OLD_MS + 3_000 * MINUTE_MS), new Date(OLD_MS + 3_030 * MINUTE_MS)];
    // The scan passes by the rows of one day, by which clocks may have been set back.
    const filter = { ...everything, from, to, statuses: ["approved", "reversed"] };
    const { found, read } = await rowsRead((sql) => selectTransactions({ sql }, filter, PAGE));
    expect(found).toBe(LIMIT + 1);
    for (const count of read) expect(count).toBeLessThan(1_440 + 2 * LIMIT);
  });

  it("reads of changes no more than a page of what was recorded and one of what was changed", async () => {
    const after = idUpperBound(OLD_MS + 3_000 * MINUTE_MS);
    await expectPage((sql) => selectChangedTransactions({ sql }, everything, { limit: LIMIT, after }), 3);
  });

  it("reads of transfers no more than a page of each direction", async () => {
    const who = { userId: shop, creatorId: one.entityId, viewerId: one.entityId };
    await expectPage((sql) => selectTransfers({ sql }, who, PAGE), 2);
    const after = idUpperBound(OLD_MS);
    await expectPage((sql) => selectTransfers({ sql }, who, { ...PAGE, after }), 2);
  });

  it("reads no more users and credits than a page", async () => {
    const after = idUpperBound(OLD_MS);
    const context = { time: businessTime("America/Bogota"), clock: service.clock };
    for (const page of [PAGE, { ...PAGE, after }]) {
      await expectPage((sql) => selectUsers({ sql }, one.entityId, {}, page));
      // Each credit's user beside it.
      await expectPage((sql) => selectCredits({ ...context, sql }, one.entityId, {}, page), 2);
    }
  });

  it("reads no more entries of a user's or of the books' accounts than a page", async () => {
    await expectPage((sql) => selectUserEntries(sql, { userId: shop, period: OPEN }, PAGE));
    const books = { entityId: one.entityId, kind: "credits_receivable", counterpartyId: null, period: OPEN };
    await expectPage((sql) => selectEntityEntries(sql, books, PAGE), 2);
  });
});
