import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unitTests } from "./unit-tests.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Made-up files, the tests among them beginning with `unit` where they are unit tests. */
const FILES: Readonly<Record<string, string>> = {
  "connect.ts": 'import { Client } from "pg";\nexport const sql = new Client();\n',
  "first.ts": 'export { sql } from "./connect.ts";\n',
  "round.ts": 'import "./turn.ts";\n',
  "turn.ts": 'import "./round.ts";\nimport { chromium } from "playwright-core";\n',
  "unit-none.test.ts": 'import { join } from "node:path";\n',
  "unit-types.test.ts": 'import type { Sql } from "./connect.ts";\nexport type { Sql } from "./first.ts";\n',
  "unit-name.test.ts": 'const names = ["pg", "./not-there.ts"];\n',
  "direct.test.ts": 'import { execFileSync } from "node:child_process";\n',
  "below.test.ts": 'import {\n  sql,\n} from "./first.ts";\n',
  "late.test.ts": 'const { sql } = await import("./connect.ts");\n',
  "worker.test.ts": 'new Worker(new URL("./first.ts", import.meta.url));\n',
  "circle.test.ts": 'import "./round.ts";\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-units-"));
  mkdirSync(join(folder, "src"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, "src", name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the unit tests", () => {
  it("are those that load nothing, by whatever way, that starts a process or connects to a database", () => {
    const expected = Object.keys(FILES).filter((name) => name.startsWith("unit-"));
    expect(unitTests(folder).toSorted()).toEqual(expected.map((name) => `src/${name}`).toSorted());
  });

  it("of this repository hold its pure functions, and nothing that names a PostgreSQL or a browser", () => {
    const paths = unitTests(ROOT);
    expect(paths).toEqual(expect.arrayContaining(["src/money.test.ts", "server/ledger/model/exposure.test.ts"]));
    const outside = /\b(?:aDatabase|aClusterOfItsOwn|launchEmbedded|openBrowser|spawn)\(/;
    expect(paths.filter((path) => outside.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
  });
});
