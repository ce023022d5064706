import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bareEnvironment } from "./bare-environment.ts";

/** The output of a command at the terminal, and its exit code. */
export interface CommandRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 50_000;

async function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  cwd = ROOT,
): Promise<CommandRun> {
  const child = spawn(program, args, {
    cwd,
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

/** Runs `server/command.ts` of a checkout (this one unless named) as the package's scripts do. */
export function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  root?: string,
): Promise<CommandRun> {
  return run(process.execPath, ["server/command.ts", ...args], environment, root);
}

/** Runs a script of the package through npm, as people do. */
export function npmRun(script: string, args: readonly string[], environment: Record<string, string>) {
  return run("npm", ["run", "--silent", script, "--", ...args], environment);
}
