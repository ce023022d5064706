import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { ConfigError, readConfig } from "./config/config.ts";
import { LaunchError } from "./database/launch-embedded.ts";
import { describeError, type HttpLog } from "./http/http-log.ts";
import { checkStart } from "./start/check-start.ts";
import { failureText } from "./start/failure-text.ts";
import type { Role } from "./start/parts.ts";
import { type Running, start } from "./start/start.ts";
import { systemLog, systemServices } from "./start/system-services.ts";

/** Only checks that `npm start` finds what it takes: its build before it takes a while. */
const CHECK = "check";
const ROLES: readonly Role[] = ["all", "service", "broker"];

/**
 * Within so many milliseconds a second signal counts as the first: a Ctrl-C reaches what npm runs twice, once from the
 * terminal and once through npm.
 */
const ONE_WISH_MS = 1_000;

const USAGE = `Usage: npm start | npm run service | npm run broker

npm start runs everything: PostgreSQL in ./data unless DATABASE_URL names another, the service, the broker and the app.
npm run service and npm run broker run one part against a database of yours. Ctrl-C finishes what is under way and
stops. Variables of the environment say the rest: see Configuration in the README. A wrong one is refused.`;

const services = systemServices();

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(error: unknown): never {
  process.stderr.write(`${failureText(error)}\n`);
  process.exit(1);
}

function roleOf(argument: string | undefined): Role {
  const role = ROLES.find((known) => known === (argument ?? "all"));
  if (role === undefined)
    throw new ConfigError(["Say nothing, service or broker after the command: that is what can be started."]);
  return role;
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

async function askAtTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = (await terminal.question(question)).trim();
      if (answer !== "") return answer;
    }
  } finally {
    terminal.close();
  }
}

function stopOnSignals(running: Running, now: () => number, log: HttpLog): void {
  let askedAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined) {
        // A later signal exits at once: the next start recovers what this one leaves.
        if (now() - askedAt > ONE_WISH_MS) process.exit(1);
        return;
      }
      askedAt = now();
      say("Stopping: finishing what is under way.");
      running.stop().then(() => process.exit(0), fail);
    });
  }
  running.databaseLost.then(() => {
    if (askedAt === undefined)
      fail(new LaunchError("The embedded database ended unasked: its log is in the data folder."));
  }, fail);
  running.threadLost.catch((error: unknown) => {
    log.error({ error: describeError(error) }, "a thread ended unasked");
    askedAt ??= now();
    // The others finish what is under way; whoever keeps Cupo running starts it anew.
    running.stop().then(() => process.exit(1), fail);
  });
}

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return say(USAGE);
  if (process.argv[2] === CHECK) return checkStart(readConfig(process.env, "all"));
  const role = roleOf(process.argv[2]);
  const config = readConfig(process.env, role);
  const log = systemLog(config.logLevel);
  const ask = process.stdin.isTTY && process.stdout.isTTY ? { ask: askAtTerminal } : {};
  const running = await start({ config, role, log, version: version(), services, ...ask });
  stopOnSignals(running, services.now, log);
  const width = Math.max(...running.addresses.map(({ url }) => url.length));
  const lines = running.addresses.map(({ what, url }) => `  ${url.padEnd(width)}  ${what}`);
  // In one write: a reader that waits for "ready" has the addresses too.
  say(["", `Cupo ${version()} is ready.`, "", ...lines, "", "Ctrl-C stops everything."].join("\n"));
}

main().catch(fail);
