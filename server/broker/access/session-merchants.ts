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
