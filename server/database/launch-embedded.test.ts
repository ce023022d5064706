import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../test/e2e/support/product.ts";
import { connect, type Sql } from "./connect.ts";
import { type Account, chooseAccount } from "./embedded/account.ts";
import { ownerOfPid } from "./embedded/postmaster-file.ts";
import { type EmbeddedDatabase, LaunchError, launchEmbedded } from "./launch-embedded.ts";

const AS_ROOT = userInfo().uid === 0;
const MODULE = new URL("./launch-embedded.ts", import.meta.url).href;
/** The part of `npm start` that this test needs: a process that runs the database until something ends it. */
const CHILD = `
import { randomBytes } from "node:crypto";
const { launchEmbedded } = await import(process.argv[1]);
try {
  const { url } = await launchEmbedded({ dataDir: process.argv[2], randomBytes });
  console.log(JSON.stringify({ url }));
  setInterval(() => undefined, 1000);
} catch (error) {
  console.log(JSON.stringify({ refused: error.message }));
}`;

const cleanUps: (() => unknown)[] = [];
let count = 0;

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function aFolder(): string {
  count += 1;
  const folder = join(tmpdir(), `cupo-launch-${process.pid}-${count}`);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function launch(dataDir: string, options: { port?: number; durable?: boolean } = {}): Promise<EmbeddedDatabase> {
  const database = await launchEmbedded({ dataDir, randomBytes, durable: false, ...options });
  cleanUps.push(() => database.stop());
  return database;
}

interface Launched {
  readonly child: ChildProcess;
  readonly said: { readonly url?: string; readonly refused?: string };
}

async function launchInChild(dataDir: string, account?: Account): Promise<Launched> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, MODULE, dataDir], {
    ...account,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUps.push(() => child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, said: JSON.parse(String(line)) };
}

async function killHard({ child }: Launched): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function using<T>(url: string | undefined, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url ?? "", { max: 1, applicationName: "launch test" });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

async function remember(url: string | undefined, word: string): Promise<void> {
  await using(url, async (sql) => {
    await sql`create table if not exists memory (word text)`;
    await sql`insert into memory values (${word})`;
  });
}

async function memories(url: string): Promise<readonly string[]> {
  return await using(url, async (sql) => {
    const rows = await sql<{ word: string }[]>`select word from memory order by word`;
    return rows.map(({ word }) => word);
  });
}

async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(() => server.close());
  return server;
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

describe("one embedded database", () => {
  const folder = join(tmpdir(), `cupo-launch-${process.pid}`);
  let database: EmbeddedDatabase;

  beforeAll(async () => {
    database = await launchEmbedded({ dataDir: folder, randomBytes });
  });

  afterAll(async () => {
    await database.stop();
    rmSync(folder, { recursive: true });
  });

  it("is durable, checks its pages, and orders text the same everywhere unless told otherwise", async () => {
    const settings = await using(
      database.url,
      (sql) => sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
        current_setting('server_encoding') as encoding, datlocale as locale, datcollate as collate
        from pg_database where datname = current_database()`,
    );
    expect(settings).toEqual([
      { fsync: "on", commit: "on", pages: "on", checksums: "on", encoding: "UTF8", locale: "C.UTF-8", collate: "C" },
    ]);
  });

  it("lets nobody in without the password, which only the owner reads", async () => {
    const stranger = using(database.url.replace(/:[^:@]+@/, ":guess@"), (sql) => sql`select 1`);
    await expect(stranger).rejects.toThrow("password authentication failed");
    expect(statSync(join(folder, "database-password")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, "postgres.password"))).toBe(false);
  });

  it("says that it is already running, in this process and in another", async () => {
    await expect(launch(folder)).rejects.toThrow(/^Cupo is already running with the data folder .*cupo-launch/);
    const { said } = await launchInChild(folder);
    expect(said.refused).toMatch(/^Cupo is already running/);
  });

  it.runIf(AS_ROOT)("runs as a user without rights when root starts it", () => {
    expect(statSync(join(folder, "postgres")).uid).not.toBe(0);
    expect(statSync(`/proc/${postmasterPid(folder)}`).uid).not.toBe(0);
  });
});

describe("the embedded database", () => {
  it("keeps its data, address and password over a clean stop and a new start", async () => {
    const folder = aFolder();
    const first = await launch(folder);
    await remember(first.url, "before");
    await first.stop();
    expect(existsSync(join(folder, "postgres", "postmaster.pid"))).toBe(false);
    const second = await launch(folder);
    expect(second.url).toBe(first.url);
    expect(await memories(second.url)).toEqual(["before"]);
    await second.stop();
    const log = readFileSync(join(folder, "postgres.log"), "utf8");
    expect(log.match(/database system is shut down/g)).toHaveLength(2);
    expect(log).not.toContain("recovery");
  });

  it("starts again after a kill -9 of its process, with everything that was committed", async () => {
    const folder = aFolder();
    const killed = await launchInChild(folder);
    await remember(killed.said.url, "committed");
    const orphan = postmasterPid(folder);
    await killHard(killed);
    const database = await launch(folder);
    expect(await memories(database.url)).toEqual(["committed"]);
    expect(postmasterPid(folder)).not.toBe(orphan);
    expect(ownerOfPid(orphan, join(folder, "postgres"))).toBe("gone");
  });

  it("starts again after a kill -9 of its process and of PostgreSQL", async () => {
    const folder = aFolder();
    const killed = await launchInChild(folder);
    await remember(killed.said.url, "committed");
    process.kill(postmasterPid(folder), "SIGKILL");
    await killHard(killed);
    expect(await memories((await launch(folder)).url)).toEqual(["committed"]);
  });

  it("starts when the number that a killed PostgreSQL left belongs to another program by now", async () => {
    const folder = aFolder();
    const killed = await launchInChild(folder);
    await remember(killed.said.url, "committed");
    const file = join(folder, "postgres", "postmaster.pid");
    const other = spawn("sleep", ["60"], { ...chooseAccount(join(folder, "postgres")), cwd: "/" });
    cleanUps.push(() => other.kill());
    const left = readFileSync(file, "utf8");
    process.kill(postmasterPid(folder), "SIGKILL");
    await killHard(killed);
    writeFileSync(file, left.replace(/^\d+/, String(other.pid)));
    expect(await memories((await launch(folder)).url)).toEqual(["committed"]);
    expect(other.exitCode).toBeNull();
  });

  it("tells its process when PostgreSQL ends by itself", async () => {
    const folder = aFolder();
    const { exited } = await launch(folder);
    process.kill(postmasterPid(folder), "SIGKILL");
    await exited;
  });

  it("begins anew what a killed first start left half made", async () => {
    const folder = aFolder();
    mkdirSync(join(folder, "postgres.new", "base"), { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, "postgres.new", "PG_VERSION"), "18\n");
    await remember((await launch(folder)).url, "made");
  });

  it("takes another port when its own is taken, and keeps that; a configured one it does not leave", async () => {
    const folder = aFolder();
    const kept = join(folder, "database-port");
    mkdirSync(folder);
    // None of those that are tried first, which other tests may take meanwhile.
    const own = await freePort();
    writeFileSync(kept, `${own}\n`);
    const first = await launch(folder);
    expect(first.port).toBe(own);
    await first.stop();
    await occupy(own);
    const second = await launch(folder);
    expect(second.port).not.toBe(own);
    expect(readFileSync(kept, "utf8")).toBe(`${second.port}\n`);
    await second.stop();
    await expect(launch(folder, { port: own })).rejects.toThrow(/^Port \d+ is in use.*CUPO_DATABASE_PORT/);
  });

  it("says what is wrong when its password is gone or PostgreSQL refuses its files", async () => {
    const folder = aFolder();
    await (await launch(folder)).stop();
    writeFileSync(join(folder, "postgres", "PG_VERSION"), "12\n");
    await expect(launch(folder)).rejects.toThrow(/PostgreSQL did not start.*initialized by PostgreSQL version 12/s);
    rmSync(join(folder, "database-password"));
    await expect(launch(folder)).rejects.toThrow(/database-password is missing.*put it back/);
    await expect(launch(folder)).rejects.toThrow(LaunchError);
  });
});

describe.runIf(AS_ROOT)("the embedded database, started by root", () => {
  it("names the folder that keeps this user out, and what to do", async () => {
    const shut = aFolder();
    mkdirSync(shut, { mode: 0o700 });
    await expect(launch(join(shut, "data"))).rejects.toThrow(`chmod o+x ${shut}`);
  });

  it("takes over what a normal user made, and runs as that user", async () => {
    const folder = aFolder();
    const account = chooseAccount(join(folder, "postgres"));
    if (account === undefined) throw new Error("root has an account to hand over to");
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, account.uid, account.gid);
    const normal = await launchInChild(folder, account);
    await remember(normal.said.url, "normal");
    await killHard(normal);
    expect(await memories((await launch(folder)).url)).toEqual(["normal"]);
    expect(statSync(join(folder, "postgres")).uid).toBe(account.uid);
  });
});
