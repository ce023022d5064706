import type * as contract from "../../../src/contract/service/books.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { sumToNumber } from "../../../src/money.ts";
import { readListPeriod } from "../shared/list-period.ts";
import { type ApiCaller, type Currency, type ReadContext, toNumber } from "../shared/service-context.ts";
import { cutSyncPage, readSyncPage } from "../shared/sync-page.ts";
import { requireOwnUser } from "./require-own-user.ts";
import type { EntryRecord } from "./select-entity-entries.ts";
import { ENTITY_PLACE, selectEntityEntries } from "./select-entity-entries.ts";
import { selectUserEntries, USER_PLACE } from "./select-user-entries.ts";

type Asked = Pick<Call<typeof contract.entries, ApiCaller>, "query" | "principal">;

function entryAnswer(record: EntryRecord, currency: Currency): contract.Entry {
  const { accountId, sequenceNumber, amount, balanceAfter, userId, counterpartyId } = record;
  return {
    id: `${accountId}.${sequenceNumber}`,
    account: record.account,
    ...(userId === null ? {} : { user_id: userId }),
    ...(counterpartyId === null ? {} : { counterparty_id: counterpartyId }),
    posting_id: record.postingId,
    reference: record.reference,
    kind: record.kind,
    day: record.day,
    side: amount < 0n ? "debit" : "credit",
    amount: sumToNumber(amount < 0n ? -amount : amount, currency.digits),
    ...(balanceAfter === null ? {} : { balance_after: toNumber(currency, balanceAfter) }),
    created_at: record.createdAt.toISOString(),
  };
}

/** The name of an account of the books; undefined for the id of a user. */
function bookAccountOf(account: string): Exclude<contract.Entry["account"], "user_quota"> | undefined {
  return account.includes("-") ? undefined : (account as Exclude<contract.Entry["account"], "user_quota">);
}

async function listEntries(service: ReadContext, { query, principal }: Asked) {
  const { account, "counterparty-id": counterpartyId = null } = query;
  const { entityId } = principal;
  const period = readListPeriod(service.time, query);
  const kind = bookAccountOf(account);
  const page = await readSyncPage(query, service, kind === undefined ? USER_PLACE : ENTITY_PLACE);
  if (kind !== undefined) {
    const found = await selectEntityEntries(service.sql, { entityId, kind, counterpartyId, period }, page);
    return cutSyncPage(found, page);
  }
  await requireOwnUser(service, account, entityId);
  // A user has no counterparty, so this filter matches nothing.
  const found = counterpartyId === null ? await selectUserEntries(service.sql, { userId: account, period }, page) : [];
  return cutSyncPage(found, page);
}

/** Lists the entries of an account in the caller's books, which may be the quota account of a user that it created. */
export function entries(service: ReadContext): Handler<typeof contract.entries, ApiCaller> {
  return async (call) => {
    const { rows, end } = await listEntries(service, call);
    return { body: rows.map((row) => entryAnswer(row, service.currency)), ...end };
  };
}
