import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, type TestLedger } from "../../../test/support/a-ledger.ts";
import { columnsIn, type Table } from "../model/columns.ts";
import * as tables from "../model/tables.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly isKey: boolean;
}

/** The columns of a table as PostgreSQL has them; a check that a column is not null counts as such. */
function catalogOf({ name }: Table): Promise<readonly CatalogColumn[]> {
  return ledger.sql<CatalogColumn[]>`
    select attname as name, replace(format_type(atttypid, null), 'timestamp with time zone', 'timestamptz') as type,
      not (attnotnull or exists (select from pg_constraint c where c.conrelid = attrelid
        and pg_get_constraintdef(c.oid) like 'CHECK ((' || attname || ' IS NOT NULL))%')) as "isNullable",
      atthasdef as "hasDefault",
      exists (select from pg_index i
        where i.indrelid = attrelid and i.indisprimary and attnum = any(i.indkey)) as "isKey"
    from pg_attribute where attrelid = ${`service.${name}`}::regclass and attnum > 0 and not attisdropped
    order by attname`;
}

describe("the columns of a table", () => {
  it.each(Object.values(tables).map((table) => [table.name, table] as const))(
    "%s are those of the database: names, types, nulls and primary key; the others have a default",
    async (_name, table: Table) => {
      const catalog = await catalogOf(table);
      const keys = new Set(columnsIn(table.key).map(({ name }) => name));
      const declared = columnsIn({ ...table.key, ...table.fixed, ...table.changing }).map(
        ({ name, type, isNullable }) => ({ name, type, isNullable, isKey: keys.has(name) }),
      );
      const names = new Set(declared.map(({ name }) => name));
      const written = catalog.filter(({ name }) => names.has(name));
      expect(written.map(({ hasDefault: _, ...column }) => column)).toEqual(
        declared.sort((left, right) => (left.name < right.name ? -1 : 1)),
      );
      const others = catalog.filter(({ name }) => !names.has(name));
      expect(others.filter(({ hasDefault }) => !hasDefault)).toEqual([]);
    },
  );
});
