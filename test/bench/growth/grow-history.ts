import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { v7 } from "uuid";
import type { Sql } from "../../../server/database/connect.ts";
import { migrate } from "../../../server/database/migrate.ts";
import type { Action, Command, Payment } from "../../../server/ledger/model/command.ts";
import { DEFAULT_TERMS } from "../../../server/ledger/model/credit-commands.ts";
import { Writer } from "../../../server/ledger/writer.ts";
import { idSource } from "../../../server/runtime/id-source.ts";
import { createApiClient, createEntity } from "../../../server/service/api-clients/api-clients.ts";
import { foldHistograms } from "../../../server/service/reports/fold-histograms.ts";
import { foldPayeeTotals } from "../../../server/service/transactions/fold-payee-totals.ts";
import { businessTime } from "../../../src/business-time.ts";
import { ORDINARY_SCOPES } from "../../../src/contract/shared/scopes.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { aNewUser } from "../../support/ledger.ts";

/** A year of an entity's payments, and the users whose payments are read. */
export interface GrownHistory {
  readonly entityId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Was paid in more than half of all transactions. */
  readonly shopId: string;
  /** Made a fifth of all transactions. */
  readonly payerId: string;
}

/** How much history is made, and when it ends. */
export interface GrowthOptions {
  readonly sql: Sql;
  readonly transactions: number;
  readonly endsAt: Date;
  readonly timeZone: string;
}

const MIGRATIONS = join(import.meta.dirname, "../../../server/database/migrations/service");
const DAYS = 365;
const DAY_MS = 86_400_000;
const PAYERS = 200;
const SHOPS = 50;
/** Commands that wait together: the writer commits this many at once. */
const TOGETHER = 500;
const QUOTA = 1_000_000_000_000n;
/** One in so many payments is rejected. */
const REJECTED_EACH = 20;

interface Book {
  readonly ledger: Writer;
  readonly entityId: string;
  readonly clientId: string;
  moveTo(instant: Date): void;
}

function commandOf<A extends Action>({ entityId, clientId }: Book, action: A): Command<A> {
  const origin = { entityId, clientId, operation: "bench", idempotency: undefined };
  return { origin, action, answer: (result) => ({ id: (result as { id?: string }).id }) };
}

async function makeUsers(book: Book, count: number, quota: bigint): Promise<string[]> {
  const posted = Array.from({ length: count }, async () => {
    const reference = createPaymentReference((length) => randomBytes(length));
    const user = { ...aNewUser(), phone: `+57${randomBytes(6).readUIntBE(0, 6)}` };
    const command = commandOf(book, { type: "register-user", user, quota, reference });
    return ((await book.ledger.post(command)).body as { id: string }).id;
  });
  return Promise.all(posted);
}

/** Amounts from 10 to 3 000 000 units, spread as amounts are: as many between 10 and 100 as between 100 and 1 000. */
function amountOf(number: number): bigint {
  const spread = ((number * 7919) % 10_007) / 10_007;
  return BigInt(Math.round(1000 * 300_000 ** spread));
}

function paymentOf(number: number, payers: readonly string[], shops: readonly string[]): Payment {
  const isOften = number % 5 === 0;
  const payer = isOften ? 0 : 1 + (number % (payers.length - 1));
  const shop = number % 5 < 3 ? 0 : 1 + (number % (shops.length - 1));
  return {
    type: "payment",
    kind: number % 3 === 0 ? "recharge" : "payment",
    requestedStatus: number % REJECTED_EACH === 0 ? "rejected" : "approved",
    holdExpiresAt: undefined,
    fromUserId: payers[payer] as string,
    toUserId: shops[isOften ? Math.floor(number / 5) % shops.length : shop] as string,
    fromName: undefined,
    toName: undefined,
    amount: amountOf(number),
    date: undefined,
    details: '{"till":7}',
    reference: createPaymentReference((length) => randomBytes(length)),
    qr: undefined,
  };
}

/** Each payer borrows once a month and keeps it: so a long history has as many credits as a short one. */
async function lend(book: Book, payers: readonly string[], dueDate: string): Promise<void> {
  const grants = payers.map((userId) => {
    const reference = createPaymentReference((length) => randomBytes(length));
    const terms = { ...DEFAULT_TERMS, annualRateBps: 2400 };
    const grant = {
      type: "assign-quota",
      userId,
      amount: 50_000_00n,
      loanType: "default",
      terms,
      dueDate,
      reference,
    } as const;
    return book.ledger.post(commandOf(book, grant));
  });
  await Promise.all(grants);
}

/**
 * Plays a year of payments through the writer, its clock moving with them, and adds them up each day as the service's
 * tasks do; all of it ends before `endsAt`.
 */
export async function growHistory({ sql, transactions, endsAt, timeZone }: GrowthOptions): Promise<GrownHistory> {
  await migrate(sql, MIGRATIONS);
  const startsAt = new Date(endsAt.getTime() - DAYS * DAY_MS);
  let now = startsAt;
  const time = businessTime(timeZone);
  const random = (length: number) => randomBytes(length);
  const ledger = new Writer({
    sql,
    clock: () => now,
    nextId: idSource({ nowMs: () => now.getTime(), random }),
    businessDay: (instant) => time.dayOf(instant),
    slot: 0,
    counterpartyLimit: 10n ** 18n,
    eventBody: () => "{}",
  });
  const entityId = v7();
  const credentials = await sql.begin(async (tx) => {
    await createEntity(tx, { id: entityId, name: "Growing", now });
    return createApiClient(tx, { entityId, name: "bench", scopes: ORDINARY_SCOPES }, { now, randomBytes: random });
  });
  const moveTo = (instant: Date): void => {
    now = instant;
  };
  const book = { ledger, entityId, clientId: credentials.clientId, moveTo };
  const payers = await makeUsers(book, PAYERS, QUOTA);
  const shops = await makeUsers(book, SHOPS, 0n);
  for (let day = 0; day < DAYS; day++) {
    const [from, to] = [day, day + 1].map((each) => Math.floor((transactions * each) / DAYS)) as [number, number];
    moveTo(new Date(startsAt.getTime() + day * DAY_MS));
    if (day % 30 === 0) await lend(book, payers, time.dayOf(new Date(now.getTime() + 20 * DAY_MS)));
    for (let first = from; first < to; first += TOGETHER) {
      const numbers = Array.from({ length: Math.min(TOGETHER, to - first) }, (_, index) => first + index);
      moveTo(new Date(now.getTime() + 1000));
      await Promise.all(numbers.map((number) => ledger.post(commandOf(book, paymentOf(number, payers, shops)))));
    }
    const nextDay = new Date(startsAt.getTime() + (day + 1) * DAY_MS);
    await Promise.all([foldPayeeTotals({ sql, changesFrom: async () => nextDay }), foldHistograms({ sql })]);
  }
  await ledger.close();
  await sql`analyze`;
  return { entityId, ...credentials, shopId: shops[0] as string, payerId: payers[0] as string };
}
