import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { v7 as uuid } from "uuid";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import type { Action, NewUser, RegisteredUser, TransactionRecord } from "../../server/ledger/model/command.ts";
import type { LedgerEvent } from "../../server/ledger/model/events.ts";
import type { ReserveQr } from "../../server/ledger/model/qr-commands.ts";
import { Writer, type WriterOptions } from "../../server/ledger/writer.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { creditFaults } from "./credit-faults.ts";
import { aDatabase } from "./database.ts";
import { exposureFaults } from "./exposure-faults.ts";
import { aCommand, aGrant, anOrigin, aRegistration, aReservation, aTestEntity, type TestEntity } from "./ledger.ts";
import { paymentFaults } from "./payment-faults.ts";

/** One batch of so many is refused; with 1 all are, with 0 none: `CUPO_TEST_DOUBTED_ONE_IN`. */
const DOUBTED_ONE_IN = Number(process.env.CUPO_TEST_DOUBTED_ONE_IN ?? 4);
const MIGRATIONS = fileURLToPath(new URL("../../server/database/migrations/service", import.meta.url));

/** Refuses batches on remembered rows at random, so that every test sees both ways to commit. */
export function doubtAtRandom(): boolean {
  return DOUBTED_ONE_IN > 0 && randomInt(DOUBTED_ONE_IN) === 0;
}

/** A user as tests need it: whom to pay, and who may debit it. */
export type TestUser = Pick<RegisteredUser, "id" | "name" | "nit" | "phone"> & { readonly entity: TestEntity };

/** A payment as it was answered, amounts and dates as text. */
export type AnsweredPayment = { readonly [Name in keyof TransactionRecord]: string | null };

/** The outcome of a command: `approved`, the reason of a rejection, the code of a refusal, or `done`. */
export type Outcome = string;

/** A PostgreSQL of its own with the service's tables, and writers on it. */
export interface TestLedger {
  readonly sql: Sql;
  readonly url: string;
  readonly writer: Writer;
  /** Another process, in effect: a writer with a pool of its own. */
  aWriter(more?: Partial<WriterOptions> & { readonly url?: string }): Writer;
  anEntity(): Promise<TestEntity>;
  aUser(entity: TestEntity, quota?: bigint, more?: Partial<NewUser>): Promise<TestUser>;
  aQr(to: TestUser, amount: bigint, more?: Partial<ReserveQr>): Promise<ReserveQr>;
  grant(user: TestUser, amount: bigint): Promise<void>;
  post(entity: TestEntity, action: Action, key?: string): Promise<unknown>;
  balanceOf(user: TestUser): Promise<bigint>;
  drop(): Promise<void>;
}

/** Returns the outcome of a post as one word. */
export async function outcomeOf(posting: Promise<{ readonly body: unknown } | unknown>): Promise<Outcome> {
  try {
    const posted = await posting;
    const body = (posted as { body?: unknown }).body ?? posted;
    const told = Array.isArray(body) ? (body.find((each: AnsweredPayment) => each.reason !== null) ?? body[0]) : body;
    const { amount, status, reason } = told as Partial<AnsweredPayment>;
    return amount === undefined ? "done" : (reason ?? status ?? "done");
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Counts the postings of each outcome. */
export async function countOutcomes(postings: readonly Promise<unknown>[]): Promise<Record<Outcome, number>> {
  const outcomes = await Promise.all(postings.map(outcomeOf));
  const grouped = Object.entries(Object.groupBy(outcomes, (outcome) => outcome));
  return Object.fromEntries(grouped.map(([outcome, all = []]) => [outcome, all.length]));
}

/** The faults of a whole ledger that its rows alone can tell; empty when it is sound. */
export async function ledgerFaults(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ fault: string }[]>`
    select 'the entries do not sum to zero' as fault from service.entries having coalesce(sum(amount), 0) <> 0
    union all
    select 'posting ' || posting_id || ' does not sum to zero for entity ' || a.entity_id
    from service.entries e join service.accounts a on a.id = e.account_id
    group by posting_id, a.entity_id having sum(amount) <> 0
    union all
    select 'account ' || a.id || ' is not the sum of its entries'
    from service.accounts a left join service.entries e on e.account_id = a.id
    group by a.id having a.posted <> coalesce(sum(e.amount), 0) or a.entry_count <> count(e.account_id)
    union all
    select 'entry ' || account_id || ' ' || sequence_number || ' has a wrong balance or number' from (
      select *, sum(amount) over numbered as running, row_number() over numbered as number
      from service.entries window numbered as (partition by account_id order by sequence_number)) e
    where balance_after <> running or sequence_number <> number
    union all
    select 'an approved transaction without its two entries: ' || t.id from service.transactions t
    where t.status in ('approved', 'reversed') and 2 <> (select count(*) from service.entries e
      where e.posting_id = t.posting_id and ((e.account_id = t.from_user_id and e.amount = -t.amount)
        or (e.account_id = t.to_user_id and e.amount = t.amount)))
    union all
    select 'an approved transfer without its two entries: ' || t.id from service.transfers t
    where t.status = 'approved' and 2 <> (select count(*) from service.entries e
      where e.posting_id = t.posting_id and ((e.account_id = t.from_user_id and e.amount = -t.amount)
        or (e.account_id = t.to_user_id and e.amount = t.amount)))
    union all
    select 'a posting without an owner: ' || p.id from service.postings p
    where not exists (select from service.transactions t where t.posting_id = p.id)
      and not exists (select from service.transfers t where t.posting_id = p.id)
      and not exists (select from service.credit_movements m where m.posting_id = p.id)
      and not exists (select from service.credit_accruals a where a.posting_id = p.id)
      and p.kind not in ('deposit', 'discharge', 'settlement')
    union all
    select 'due to and due from differ' from (
      select entity_id as debtor, counterparty_id as creditor, posted from service.accounts where kind = 'due_to'
      union all
      select counterparty_id, entity_id, posted from service.accounts where kind = 'due_from') d
    group by debtor, creditor having sum(posted) <> 0`;
  return [
    ...rows.map(({ fault }) => fault),
    ...(await Promise.all([creditFaults(sql), paymentFaults(sql), exposureFaults(sql)])).flat(),
  ];
}

/** Returns an event as JSON text with every column, so that tests can check all of it. */
export function plainEventBody({ event }: LedgerEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/** Makes a database with the service's tables: `ledger = await aLedger()` in `beforeAll`, `drop()` in `afterAll`. */
export async function aLedger(): Promise<TestLedger> {
  const database = await aDatabase("service");
  const sql = connect(database.url, { max: 5, applicationName: "cupo test" });
  await migrate(sql, MIGRATIONS);
  const writers: Writer[] = [];
  const pools: Sql[] = [sql];
  const aWriter: TestLedger["aWriter"] = ({ url = database.url, ...more } = {}) => {
    const pool = connect(url, { max: 2, applicationName: "cupo test writer" });
    const businessDay = (now: Date): string => now.toISOString().slice(0, 10);
    const writer = new Writer({
      sql: pool,
      clock: () => new Date(),
      nextId: uuid,
      businessDay,
      slot: 0,
      counterpartyLimit: 10n ** 18n,
      eventBody: plainEventBody,
      isDoubted: doubtAtRandom,
      // Tests post more at once than a slow machine commits soon, and set `clock` at will: `now` times the waits.
      maxWaitMs: 60_000,
      now: () => performance.now(),
      ...more,
    });
    pools.push(pool);
    writers.push(writer);
    return writer;
  };
  const drop = async (): Promise<void> => {
    await Promise.all(writers.map((writer) => writer.close()));
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
    await database.drop();
  };
  return { sql, url: database.url, aWriter, drop, ...verbs(sql, aWriter()) };
}

function verbs(sql: Sql, writer: Writer): Omit<TestLedger, "sql" | "url" | "aWriter" | "drop"> {
  const post: TestLedger["post"] = async (entity, action, key) =>
    (await writer.post(aCommand(anOrigin(entity, key), action))).body;
  return {
    writer,
    post,
    async anEntity() {
      const entity = aTestEntity();
      await sql`insert into service.entities (id, name, created_at) values (${entity.id}, 'An entity', now())`;
      return entity;
    },
    async aUser(entity, quota = 0n, more = {}) {
      const user = (await post(entity, aRegistration(quota, more))) as RegisteredUser;
      return { id: user.id, name: user.name, nit: user.nit, phone: user.phone, entity };
    },
    async aQr(to, amount, more = {}) {
      const action = aReservation(to, amount, { expiresAt: new Date(Date.now() + 86_400_000), ...more });
      await post(to.entity, action);
      return action;
    },
    async grant(user, amount) {
      await post(user.entity, aGrant(user.id, amount));
    },
    async balanceOf({ id }) {
      const [account] = await sql<{ posted: bigint }[]>`select posted from service.accounts where id = ${id}`;
      return account?.posted ?? 0n;
    },
  };
}
