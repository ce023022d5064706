import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bareEnvironment } from "./bare-environment.ts";

/** What a command at the terminal said, and how it ended. */
export interface CommandRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 50_000;

async function run(program: string, args: readonly string[], environment: Record<string, string>): Promise<CommandRun> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    err += data;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** Runs `server/command.ts` as the package's scripts do, in an environment of its own. */
export function runCommand(args: readonly string[], environment: Record<string, string>): Promise<CommandRun> {
  return run(process.execPath, ["server/command.ts", ...args], environment);
}

/** Runs a script of the package through npm, as people do. */
export function npmRun(script: string, args: readonly string[], environment: Record<string, string>) {
  return run("npm", ["run", "--silent", script, "--", ...args], environment);
}
