import { randomBytes } from "node:crypto";
import { accrueCommand } from "./commands/accrue-command.ts";
import { clientCommand } from "./commands/client-command.ts";
import { clockCommand } from "./commands/clock-command.ts";
import { closeMonthCommand } from "./commands/close-month-command.ts";
import { keyCommand } from "./commands/key-command.ts";
import { merchantCommand } from "./commands/merchant-command.ts";
import { operatorCommand } from "./commands/operator-command.ts";
import { runJob } from "./commands/run-job.ts";
import { type TerminalCommand, UsageError } from "./commands/terminal-command.ts";
import { readConfig } from "./config/config.ts";
import { idSource } from "./runtime/id-source.ts";
import { thisMachine } from "./runtime/this-machine.ts";
import { failureText } from "./start/failure-text.ts";

const COMMANDS: Readonly<Record<string, TerminalCommand>> = Object.freeze({
  accrue: accrueCommand,
  client: clientCommand,
  clock: clockCommand,
  "close-month": closeMonthCommand,
  key: keyCommand,
  merchant: merchantCommand,
  operator: operatorCommand,
});

const USAGE_EXIT_CODE = 2;

const clock = (): Date => new Date();
const random = (length: number): Uint8Array => randomBytes(length);
const services = {
  clock,
  random,
  newId: idSource({ nowMs: () => clock().getTime(), random }),
  machine: thisMachine(random),
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function run(command: TerminalCommand, args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return say(command.usage);
  const isJson = args.includes("--json");
  const job = command.plan(args.filter((arg) => arg !== "--json"));
  // The same environment as the service's, where that has a database of its own; else that of npm start.
  const role = process.env.DATABASE_URL === undefined ? "all" : "service";
  const { part = "service" } = command;
  const { text, data } = await runJob({ job, part }, readConfig(process.env, role), services);
  say(isJson ? JSON.stringify(data, undefined, 2) : text);
}

async function main(): Promise<void> {
  const [name = "", ...args] = process.argv.slice(2);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`Say one of ${Object.keys(COMMANDS).join(", ")}.`);
  try {
    await run(command, args);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\n\n${command.usage}`);
    throw error;
  }
}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage ? error.message : failureText(error)}\n`);
  process.exitCode = isUsage ? USAGE_EXIT_CODE : 1;
});
