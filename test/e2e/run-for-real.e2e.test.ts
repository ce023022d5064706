import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AppBrowser } from "../attacks/support/app-browser.ts";
import { terminalBlock } from "../readme/run-for-real.ts";
import { aClusterOfItsOwn, type OwnCluster } from "../support/own-cluster.ts";
import { freePort } from "./support/product.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 100_000;

/** A terminal: runs the README's commands in bash, with other ports, and collects their output. */
class Terminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  said = "";

  constructor(text: string, cwd: string, env: Record<string, string>) {
    this.#child = spawn("bash", ["-c", text], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (data) => {
        this.said += data;
      });
    this.#ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** Waits until its output matches; throws the output if it ends first, or after `LIMIT_MS`. */
  async says(pattern: RegExp): Promise<readonly string[]> {
    for (const until = performance.now() + LIMIT_MS; performance.now() < until; await delay(50)) {
      const found = pattern.exec(this.said);
      if (found !== null) return found;
      if (this.#child.exitCode !== null) break;
    }
    throw new Error(`it never said ${pattern}: ${this.said}`);
  }

  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Presses Ctrl-C, which every process in the foreground gets, and waits for the end. */
  async interrupt(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, "SIGINT");
    await this.#ended;
  }
}

let cluster: OwnCluster;
let folder: string;
const terminals: Terminal[] = [];

beforeAll(async () => {
  cluster = await aClusterOfItsOwn();
  folder = mkdtempSync(join(tmpdir(), "cupo-for-real-"));
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\0")
    .filter(Boolean);
  for (const path of tracked) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
});

afterAll(async () => {
  for (const terminal of terminals.reverse()) await terminal.interrupt();
  await cluster?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it("the README's words run it for real: an order's session reads paid", { timeout: 4 * LIMIT_MS }, async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATABASE_URL: cluster.url };
  const type = (block: string): Terminal => {
    const typed = terminalBlock(block)
      .replaceAll("localhost:4000", `localhost:${port}`)
      .replaceAll("localhost:4100", `localhost:${servicePort}`)
      // The packages are there: `npm ci` would cost each run a minute and show nothing that the run itself does not.
      .replace("npm ci && ", "");
    const ports = `export CUPO_PORT=${port} CUPO_SERVICE_PORT=${servicePort}\nset -e\n`;
    const terminal = new Terminal(ports + typed, folder, env);
    terminals.push(terminal);
    return terminal;
  };
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));

  const first = type("first-terminal");
  await first.says(/^Cupo \S+ is ready\.$/m);
  const second = type("second-terminal");
  const [, link = ""] = await second.says(/^link +(\S+)$/m);
  const [, code = ""] = await second.says(/^code +(\d+)$/m);
  const phone = new AppBrowser(`http://localhost:${port}`);
  expect((await phone.enrol({ link, code })).status).toBe(200);
  const [, reference = ""] = await second.says(/^reference: (\S+)$/m);
  const { payload } = (await phone.post("/v1/scans", { reference })).body;
  expect((await phone.pay({ payload })).body).toMatchObject({ state: "approved" });
  expect(await second.ended()).toBe(0);
  expect(second.said).toContain("order 1: paid");
  const status = JSON.parse(readFileSync(join(folder, "data/status.json"), "utf8")) as { state: string };
  expect(status.state).toBe("paid");
  expect((await phone.get("/health/ready")).body).toEqual({ status: "ready", missing: [] });
});
