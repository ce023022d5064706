import type { OperatorRole } from "../../server/broker/access/principal.ts";
import { type Client, createClient } from "../../src/client.ts";
import { operatorContract } from "../../src/contract/broker/broker.ts";
import { ORIGIN, ownPage, type TestBroker } from "./broker.ts";

/** A client of the operators' pages, signed in as one operator. */
export type OperatorClient = Client<typeof operatorContract>;

/** The demo's operator, signed in; the role can be changed while the session lives. */
export async function asOperator(broker: TestBroker, role: OperatorRole = "admin"): Promise<OperatorClient> {
  await haveRole(broker, role);
  const cookie = await broker.signIn("operator");
  return createClient(operatorContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => ownPage(cookie) });
}

/** Gives the demo's operator a role. */
export async function haveRole({ sql }: TestBroker, role: OperatorRole): Promise<void> {
  await sql`update broker.people set operator_role = ${role} where role = 'operator' and demo_name is not null`;
}

/** Rows of every table of the broker as text, in which no secret may be found. */
export async function brokerDump({ sql }: TestBroker): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'broker' order by tablename`;
  const rows = tables.map(({ name }) => sql`select row_to_json(t)::text as row from broker.${sql(name)} t`);
  return JSON.stringify(await Promise.all(rows));
}
