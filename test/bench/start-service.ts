import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A running process of Cupo. */
export interface Service {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Options of a process. */
export interface ServiceOptions {
  readonly databaseUrl: string;
  /** Takes its access log. */
  readonly logFile: string;
  readonly profileFolder: string | undefined;
  /** The role of the process, and the variable that has the port it is asked at. */
  readonly role: "service" | "all";
  readonly portVariable: "CUPO_SERVICE_PORT" | "CUPO_PORT";
  readonly environment: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, "../..");
const MAIN = join(ROOT, "server/main.ts");
/** Reads the metrics of a process that is started here. */
export const METRICS_TOKEN = "read-by-the-bench-alone";
const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const LOG_TAIL_CHARACTERS = 2000;

/** Returns the arguments that make Node write a CPU profile into a folder; none without a folder. */
function profilingArguments(folder: string | undefined): readonly string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** The arguments for Node itself with which npm starts a role. */
function nodeArguments(role: ServiceOptions["role"]): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = scripts[role === "all" ? "start" : role] ?? "";
  return script.split(" ").filter((word) => word.startsWith("--"));
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}

/** Returns the environment without the variables that would configure another Cupo. */
function cleanEnvironment(): Record<string, string | undefined> {
  const foreign = /^(?:CUPO_|DATABASE_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

async function untilReady(port: number, hasEnded: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS && !hasEnded(); waitedMs += POLL_MS) {
    if (await isReady(port)) return;
    await delay(POLL_MS);
  }
  throw new Error("it was not ready in time");
}

/** Starts Cupo as it ships on a free port; the database is migrated by it. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, logFile, profileFolder, role, portVariable, environment } = options;
  const port = await freePort();
  const log = openSync(logFile, "a");
  const own = [...nodeArguments(role), ...profilingArguments(profileFolder)];
  const child = spawn(process.execPath, [...own, MAIN, role], {
    env: {
      ...cleanEnvironment(),
      DATABASE_URL: databaseUrl,
      CUPO_METRICS_TOKEN: METRICS_TOKEN,
      ...environment,
      [portVariable]: String(port),
    },
    stdio: ["ignore", log, log],
    // In a group of its own, so that the terminal's Ctrl-C reaches the bench alone, which then stops it.
    detached: true,
  });
  closeSync(log);
  let ended = false;
  const exited = once(child, "exit").then(() => {
    ended = true;
  });
  const stop = async (): Promise<void> => {
    if (!ended) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  try {
    await untilReady(port, () => ended);
  } catch (cause) {
    await stop();
    const said = readFileSync(logFile, "utf8").slice(-LOG_TAIL_CHARACTERS);
    throw new Error(`Cupo did not start; it said:\n${said}`, { cause });
  }
  return { pid: child.pid ?? 0, port, stop };
}
