import type { Payment } from "../../../../src/contract/broker/broker.ts";
import { parseExactJson } from "../../../../src/parse-exact-json.ts";
import { parsePaymentReference } from "../../../../src/payment-reference.ts";
import type { Sql } from "../../../database/connect.ts";

/** The part of a payment session that its payment is told with. */
export interface OwnSession extends KeptDetails {
  readonly id: string;
  readonly reference: string;
  readonly order_id: string | null;
}

/** The details that a session was started with, as they are stored: JSON, and if a page sent them. */
interface KeptDetails {
  readonly details: string | null;
  readonly by_page: boolean;
}

/** As many sessions as one order is looked up by. */
const MOST_OF_ORDER = 100;

/** Finds a merchant's payment sessions by the references of their codes, as a map keyed by reference. */
export async function sessionsByReference(
  sql: Sql,
  merchantId: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, OwnSession>> {
  const rows = await sql<OwnSession[]>`
    select id, reference, order_id, details, by_page from broker.widget_sessions
    where merchant_id = ${merchantId} and kind = 'pay' and reference = any(${[...references]})`;
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Finds the latest hundred payment sessions that a merchant started for an order, newest first. */
export function sessionsOfOrder(sql: Sql, merchantId: string, order: string): Promise<readonly OwnSession[]> {
  return sql<OwnSession[]>`
    select id, reference, order_id, details, by_page from broker.widget_sessions
    where merchant_id = ${merchantId} and attempt_key = ${`order:${order}`}
    order by generation desc limit ${MOST_OF_ORDER}`;
}

/** Reads a reference as people type it, which the contract has checked, into the form in which it is stored. */
export function storedReference(text: string | undefined): string | undefined {
  const parsed = text === undefined ? undefined : parsePaymentReference(text);
  return parsed?.ok === true ? parsed.reference : undefined;
}

/** Answers a session's details: as `details` those of the merchant's backend, as `page_details` those of a page. */
export function detailsOf({ details, by_page: byPage }: KeptDetails): Pick<Payment, "details" | "page_details"> {
  if (details === null) return {};
  const sent = parseExactJson(details) as NonNullable<Payment["details"]>;
  return byPage ? { page_details: sent } : { details: sent };
}
