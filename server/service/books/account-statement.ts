import type * as contract from "../../../src/contract/service/books.ts";
import type { JsonObject } from "../../../src/contract/shared/fields.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { formatAmount, sumAmounts, sumToNumber } from "../../../src/money.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { Tx } from "../../database/connect.ts";
import { CLOCK_LIMIT_MS } from "../../ledger/model/machine-clock.ts";
import { decodeCursor, encodeCursor, invalidCursor, limitOf, type PageQuery } from "../../shared/page.ts";
import { type ApiCaller, type Currency, type ReadContext, refuseFaults } from "../shared/service-context.ts";
import { type BookedRun, type BookedStretches, bookedStretches, pageOf, type Stretch } from "./booked-stretches.ts";
import { requireOwnUser } from "./require-own-user.ts";
import { type StatementRow, selectStatementEntries } from "./select-statement-entries.ts";

type StatementQuery = Call<typeof contract.accountStatement, ApiCaller>["query"];

/** Says if the statement is final, how many entries the account had at the first page, and how many were told since. */
const CURSOR = /^([01])\/(\d{1,18})\/(\d{1,18})$/;

/** The moment of the account that the pages of one statement show, and where a page begins. */
interface Position {
  readonly isFinal: boolean;
  readonly count: bigint;
  readonly offset: bigint;
}

function readCursor({ cursor }: PageQuery): Position | undefined {
  if (cursor === undefined) return undefined;
  const [, final, count, offset] = CURSOR.exec(decodeCursor(cursor)) ?? [];
  if (count === undefined || offset === undefined) throw invalidCursor();
  return { isFinal: final === "1", count: BigInt(count), offset: BigInt(offset) };
}

/** An account with the runs of its entries, in the order of their numbers, at one moment. */
interface BookedAccount {
  readonly count: bigint;
  readonly createdAt: Date;
  /** The last day of its entity's latest closed month. */
  readonly closedThrough: string | null;
  readonly runs: readonly BookedRun[];
}

async function readAccount(tx: Tx, userId: string): Promise<BookedAccount> {
  const [account] = await tx<Omit<BookedAccount, "runs">[]>`
    select a.entry_count as count, u.created_at as "createdAt", n.closed_through::text as "closedThrough"
    from service.accounts a join service.users u on u.id = a.id join service.entities n on n.id = a.entity_id
    where a.id = ${userId}`;
  if (account === undefined) throw new Error(`the user ${userId} has no account`);
  const runs = await tx<BookedRun[]>`
    select day::text, first_entry as "firstEntry" from service.account_days
    where account_id = ${userId} order by first_entry`;
  return { ...account, runs };
}

/**
 * Tells whether nothing more is booked on a day that is over: its month is closed, which every commit respects; or the
 * user was registered after it, and no commit is open that a clock behind this one could book on it. A month that a
 * wrong clock closed before its end may be opened again.
 */
function isSettled(
  { time }: ReadContext,
  { closedThrough, createdAt }: BookedAccount,
  { toDay, quietSince }: { readonly toDay: string; readonly quietSince: Date },
): boolean {
  const end = time.startOf(time.addDays(toDay, 1));
  if (quietSince < end) return false;
  if (closedThrough !== null && closedThrough >= toDay) return true;
  // Of two processes, each may be that far from the database's clock.
  return createdAt >= end && quietSince.getTime() > end.getTime() + 2 * CLOCK_LIMIT_MS;
}

/** Reads the balance that an account had before each of some stretches of entries, and the one after it. */
async function readBalances(tx: Tx, userId: string, stretches: readonly Stretch[]) {
  const numbers = stretches.flatMap(({ first, end }) => [first - 1n, end - 1n]);
  const rows = await tx<{ number: bigint; balance: bigint }[]>`
    select e.sequence_number as number, e.balance_after as balance
    from unnest(${numbers}::bigint[]) as asked (number)
    join service.entries e on e.account_id = ${userId} and e.sequence_number = asked.number`;
  const balances = new Map(rows.map(({ number, balance }) => [number, balance]));
  const after = (number: bigint): bigint => {
    const balance = number === 0n ? 0n : balances.get(number);
    if (balance === undefined) throw new Error(`the account ${userId} lacks entry ${number}`);
    return balance;
  };
  return (stretch: Stretch) => ({ opening: after(stretch.first - 1n), closing: after(stretch.end - 1n) });
}

/** The balances of a statement, and what each stretch's own balances are to be shifted by. */
async function readSums(tx: Tx, userId: string, { before, within }: BookedStretches) {
  const balancesOf = await readBalances(tx, userId, [...before, ...within]);
  const changeOf = (stretch: Stretch): bigint => balancesOf(stretch).closing - balancesOf(stretch).opening;
  const opening = sumAmounts(before.map(changeOf));
  const shifts = new Map<Stretch, bigint>();
  let closing = opening;
  for (const stretch of within) {
    shifts.set(stretch, closing - balancesOf(stretch).opening);
    closing += changeOf(stretch);
  }
  return { opening, closing, shifts };
}

function entryAnswer(row: StatementRow, shift: bigint, currency: Currency): contract.StatementEntry {
  const { details, qrDetails, paidOut, transactionId, transactionKind, reverses } = row;
  return {
    posting_id: row.postingId,
    day: row.day,
    kind: row.kind,
    reference: row.reference,
    amount: sumToNumber(row.amount, currency.digits),
    ...(paidOut === null ? {} : { paid_out: formatAmount(paidOut, currency.digits) }),
    balance_after: sumToNumber(row.balanceAfter + shift, currency.digits),
    ...(transactionId === null ? {} : { transaction_id: transactionId }),
    ...(transactionKind === null ? {} : { transaction_kind: transactionKind }),
    ...(reverses === null ? {} : { reverses }),
    ...(row.counterpartyId === null ? {} : { counterparty_id: row.counterpartyId }),
    ...(row.counterparty === null ? {} : { counterparty: row.counterparty }),
    ...(row.counterpartyBusiness === null ? {} : { counterparty_business_name: row.counterpartyBusiness }),
    ...(details === null ? {} : { details: parseExactJson(details) as JsonObject }),
    ...(qrDetails === null ? {} : { qr_details: parseExactJson(qrDetails) as JsonObject }),
    created_at: row.createdAt.toISOString(),
  };
}

/** Reads a page of a statement in one snapshot of the database. */
async function readStatement(
  service: ReadContext,
  query: StatementQuery,
  { creatorId, quietSince }: { readonly creatorId: string; readonly quietSince: Date },
  tx: Tx,
) {
  const { "user-id": userId, "from-day": fromDay, "to-day": toDay } = query;
  const account = await readAccount(tx, userId);
  const begun = () => ({
    isFinal: isSettled(service, account, { toDay, quietSince }),
    count: account.count,
    offset: 0n,
  });
  const { isFinal, count, offset } = readCursor(query) ?? begun();
  if (count > account.count) throw invalidCursor();
  const stretches = bookedStretches(account.runs, count, { fromDay, toDay });
  const { opening, closing, shifts } = await readSums(tx, userId, stretches);
  const limit = limitOf(query);
  const placed = pageOf(stretches.within, offset, limit + 1);
  const page = placed.slice(0, limit);
  const numbers = page.map(({ number }) => number);
  const rows = await selectStatementEntries(tx, { userId, creatorId }, numbers);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const { currency } = service;
  const entries = page.map(({ number, stretch }) => {
    const row = byNumber.get(number);
    if (row === undefined) throw new Error(`the account ${userId} lacks entry ${number}`);
    return entryAnswer(row, shifts.get(stretch) ?? 0n, currency);
  });
  return {
    body: {
      user_id: userId,
      currency: currency.code,
      from_day: fromDay,
      to_day: toDay,
      final: isFinal,
      opening_balance: sumToNumber(opening, currency.digits),
      closing_balance: sumToNumber(closing, currency.digits),
      entries,
    },
    nextCursor:
      placed.length > limit ? encodeCursor(`${isFinal ? 1 : 0}/${count}/${offset + BigInt(limit)}`) : undefined,
  };
}

/**
 * Answers what was booked on the account of a user that the caller's entity created, over a range of days, with the
 * balances before and after. All pages of a statement show the account with the entries that it had on the first.
 */
export function accountStatement(service: ReadContext): Handler<typeof contract.accountStatement, ApiCaller> {
  return async ({ query, principal }) => {
    const isReversed = query["from-day"] > query["to-day"];
    refuseFaults(isReversed ? [{ parameter: "from-day", detail: "must not be after to-day" }] : []);
    const userId = query["user-id"].toLowerCase();
    await requireOwnUser(service, userId, principal.entityId);
    const asked = { ...query, "user-id": userId };
    const context = { creatorId: principal.entityId, quietSince: await service.changesFrom() };
    // Account, balances and entries are read at one moment: in the middle of a commit they would not add up.
    const answer = await service.sql.begin("isolation level repeatable read read only", (tx) =>
      readStatement(service, asked, context, tx),
    );
    return answer as Awaited<ReturnType<typeof readStatement>>;
  };
}
