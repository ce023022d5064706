import type { Sql } from "./connect.ts";

/**
 * Fails as a write would where the database only reads: on a standby, and where transactions are read-only. The pool
 * closes that connection, so the next call asks the hosts again.
 */
export async function requireWritable(sql: Sql): Promise<void> {
  await sql`do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise read_only_sql_transaction using message = 'the database only reads';
    end if;
  end $$`.simple();
}
