import type { Sql } from "../../database/connect.ts";

/**
 * Finds the names of the merchants whose payment sessions have these references, as a map keyed by reference: what was
 * paid by such a code was paid to that merchant, whichever user of the service its money goes to.
 */
export async function merchantNames(sql: Sql, references: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (references.length === 0) return new Map();
  const rows = await sql<{ reference: string; name: string }[]>`
    select s.reference, m.name from broker.widget_sessions s join broker.merchants m on m.id = s.merchant_id
    where s.reference = any(${[...references]})`;
  return new Map(rows.map(({ reference, name }) => [reference, name]));
}

/** The `merchant` of an answer: its name, where `payee`, as the person is told it, is another. */
export function toldMerchant(name: string | undefined, payee: string): { readonly merchant?: string } {
  return name === undefined || name === payee ? {} : { merchant: name };
}

/** The outcome that the shop's page is told, which is no proof of anything. */
type ReturnState = "paid" | "cancelled" | "expired";

/** The merchant of a payment session, and the way back to its page. */
interface SessionShop {
  readonly name: string;
  /** Makes the address in the shop, with the session's id and this state in its query; undefined without one. */
  readonly back: (state: ReturnState) => string | undefined;
}

/**
 * Finds the shop whose payment session has this reference, if any. There is no way back where the session has no
 * address, its origin is no longer one that the merchant lists, or the merchant is disabled: the app leads nobody to a
 * page that the merchant has given up.
 */
export async function sessionShop(sql: Sql, reference: string | undefined): Promise<SessionShop | undefined> {
  if (reference === undefined) return undefined;
  const [row] = await sql<{ id: string; name: string; return_url: string | null; origins: string[] }[]>`
    select s.id, m.name, s.return_url,
      array(select origin from broker.merchant_origins where merchant_id = m.id and m.disabled_at is null) as origins
    from broker.widget_sessions s join broker.merchants m on m.id = s.merchant_id
    where s.reference = ${reference}`;
  if (row === undefined) return undefined;
  const back = (state: ReturnState): string | undefined => {
    const url = row.return_url === null ? undefined : new URL(row.return_url);
    if (url === undefined || !row.origins.includes(url.origin)) return undefined;
    url.searchParams.set("session_id", row.id);
    url.searchParams.set("state", state);
    return url.href;
  };
  return { name: row.name, back };
}

/** True if the person paid the code with this reference by an approval. */
export async function hasPaidCode(sql: Sql, userId: string, reference: string): Promise<boolean> {
  const rows = await sql`
    select from broker.approvals where user_id = ${userId} and reference = ${reference} and state = 'approved'`;
  return rows.length > 0;
}
