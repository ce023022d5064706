import type { JsonObject } from "../../../src/contract/shared/fields.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { ReadContext } from "../shared/service-context.ts";
import { selectTransactions } from "./list-transactions.ts";
import { transactionAnswer } from "./transaction-answer.ts";

/** How many of the latest payments a user's record carries. */
const HISTORY_LENGTH = 50;

/** The user whose payments are read, its creator, and the entity that reads them. */
interface Who {
  readonly userId: string;
  readonly creatorId: string;
  readonly viewerId: string;
}

/** Reads the latest 50 payments of a user, of either direction, that an entity may see, newest first, as answers. */
export async function latestPayments(service: ReadContext, who: Who): Promise<JsonObject[]> {
  const everything = {
    ...who,
    direction: "all",
    statuses: ["pending", "approved", "rejected", "reversed"],
    kinds: ["payment", "batch", "recharge", "qr", "refund"],
    from: null,
    to: null,
  } as const;
  const latest = await selectTransactions(service, everything, { limit: HISTORY_LENGTH - 1, before: null });
  return latest.map((row) => ({ ...transactionAnswer(row, who.viewerId, service) }));
}

/** Returns the payment records that a user's creator stored with the user, each marked with the source `imported`. */
export function importedRecords(importedHistory: string): JsonObject[] {
  const records = parseExactJson(importedHistory) as JsonObject[];
  return records.map((record) => ({ ...record, source: "imported" }));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === "string" && UUID.test(id) ? id.toLowerCase() : undefined;
}

/**
 * Returns, as JSON text to store, a sent user history without the records that are the user's transactions in Cupo:
 * answers have those anyway.
 */
export async function ownRecordsOf(
  { sql }: Pick<ReadContext, "sql">,
  userId: string,
  history: readonly JsonObject[],
): Promise<string> {
  const ids = history.flatMap((record) => idOf(record) ?? []);
  const rows =
    ids.length === 0
      ? []
      : await sql<{ id: string }[]>`
          select id from service.transactions
          where id = any(${ids}) and (from_user_id = ${userId} or to_user_id = ${userId})`;
  const known = new Set<string | undefined>(rows.map(({ id }) => id));
  return JSON.stringify(history.filter((record) => idOf(record) === undefined || !known.has(idOf(record))));
}
