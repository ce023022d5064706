import { importsIn, targetOf } from "./imports.ts";
import { isTestCode, type ProjectFile } from "./project-files.ts";

/** A folder that a document lists, with the folders of the same table that it may import. */
interface Row {
  readonly name: string;
  readonly imports: readonly string[];
}

/** A table of the folders below one folder, the highest first. */
export interface FolderTable {
  readonly base: string;
  /** Folders that each one above them may import. */
  readonly besides: readonly string[];
  readonly rows: readonly Row[];
}

const TABLE = /^\| `([^`]+)` \| Content \| Imports([^|]*)\|\n\|[-|]+\|\n((?:\|.*\n)+)/gm;

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** The tables of folders that a document has. */
export function folderTables(document: string): readonly FolderTable[] {
  return [...document.matchAll(TABLE)].map(([, base = "", besides = "", body = ""]) => {
    const cells = body.split("\n").map((line) => line.split("|"));
    const rows = cells.flatMap(([, name = "", , imports = ""]) =>
      namesIn(name).map((one) => ({ name: one, imports: namesIn(imports) })),
    );
    return { base, besides: namesIn(besides), rows };
  });
}

/** The row of a file: that of its nearest folder; undefined at the top of the table's folder and outside of it. */
function rowOf({ base, rows }: FolderTable, path: string): Row | undefined {
  const within = rows.filter(({ name }) => path.startsWith(`${base}/${name}/`));
  return within.sort((one, other) => other.name.length - one.name.length)[0];
}

/** Each folder of the table that a file of another imports, with the line. */
function edgesOf(
  table: FolderTable,
  row: Row,
  file: ProjectFile,
): readonly { readonly to: Row; readonly line: number }[] {
  return importsIn(file).flatMap(({ line, specifier }) => {
    const to = specifier.startsWith(".") ? rowOf(table, targetOf(file.path, specifier)) : undefined;
    return to === undefined || to === row ? [] : [{ to, line }];
  });
}

function rowFaults(table: FolderTable, row: Row, code: readonly ProjectFile[]): readonly string[] {
  const own = code.filter(({ path }) => rowOf(table, path) === row);
  if (own.length === 0) return [`the table of ${table.base} lists ${row.name}, which has no code`];
  const below = table.rows.slice(table.rows.indexOf(row) + 1);
  const used = new Set<string>();
  const faults = own.flatMap((file) =>
    edgesOf(table, row, file).flatMap(({ to, line }) => {
      used.add(to.name);
      if (below.includes(to) && (row.imports.includes(to.name) || table.besides.includes(to.name))) return [];
      return [`${file.path}:${line} imports ${to.name}, which the table of ${table.base} does not allow`];
    }),
  );
  const idle = row.imports.filter((name) => !used.has(name));
  return [
    ...faults,
    ...idle.map((name) => `${table.base}/${row.name} imports nothing of ${name}: take it off its row`),
  ];
}

/** The imports that a table does not allow, the folders that it lacks, and its entries that the code does not need. */
export function folderFaults(table: FolderTable, files: readonly ProjectFile[]): readonly string[] {
  const code = files.filter(
    ({ path }) => path.startsWith(`${table.base}/`) && /(?<!\.d)\.ts$/.test(path) && !isTestCode(path),
  );
  const isLacking = ({ path }: ProjectFile) =>
    rowOf(table, path) === undefined && path.slice(table.base.length + 1).includes("/");
  return [
    ...code.filter(isLacking).map(({ path }) => `${path} is in no folder that the table of ${table.base} lists`),
    ...table.rows.flatMap((row) => rowFaults(table, row, code)),
  ];
}
