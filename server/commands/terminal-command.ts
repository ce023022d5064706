import { type ParseArgsConfig, parseArgs } from "node:util";
import type { UpstreamOptions } from "../broker/access/broker-options.ts";
import type { Sql } from "../database/connect.ts";
import type { MachineClock } from "../ledger/model/machine-clock.ts";
import type { Currency } from "../service/shared/service-context.ts";

/** Addresses of the service, and the credentials of the broker's API client. */
export type ServiceAccess = Omit<UpstreamOptions, "timeoutMs" | "installation">;

/** The dependencies of a command's job. */
export interface CommandContext {
  readonly sql: Sql;
  /** The 32-byte service key. */
  readonly key: Uint8Array;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly newId: () => string;
  readonly machine: MachineClock;
  /** Where clients get their tokens. */
  readonly authUrl: string;
  /** The business time zone. */
  readonly timeZone: string;
  readonly currency: Currency;
  /** Where people and merchants reach the broker. */
  readonly publicOrigin: string;
  /** Private networks that webhooks may reach. */
  readonly webhookPrivate: readonly string[];
  /** Undefined where this installation has no credentials of a broker. */
  readonly serviceAccess: ServiceAccess | undefined;
}

/** A command's output: text for people, and the same as data for programs. */
export interface CommandOutput {
  readonly text: string;
  readonly data: unknown;
}

/** The work of a terminal command whose arguments have been parsed. */
export type Job = (services: CommandContext) => Promise<CommandOutput>;

/** A command at the terminal: its usage, and the parser of its arguments. */
export interface TerminalCommand {
  readonly usage: string;
  /** The part whose tables it works on. Default: the service. */
  readonly part?: "service" | "broker";
  /** Reads the arguments, before any database is opened. Throws {@link UsageError}. */
  readonly plan: (args: readonly string[]) => Job;
}

/** The error of arguments that were not understood; the usage is shown below it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The error of a command that was understood and cannot be carried out, with the remedy. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * The maker (`madeBy`) that access records, reopened months and reversed accruals name for a command at the terminal.
 */
export const COMMAND_LINE = "command line";

/**
 * Makes the plan that selects another by the first word, and has it parse the others; it throws {@link UsageError} for
 * an unknown word.
 */
export function planVerbs(plans: Readonly<Record<string, TerminalCommand["plan"]>>): TerminalCommand["plan"] {
  return ([verb = "", ...rest]) => {
    const plan = Object.hasOwn(plans, verb) ? plans[verb] : undefined;
    if (plan === undefined) throw new UsageError(`Say one of ${Object.keys(plans).join(", ")}.`);
    return plan(rest);
  };
}

/** Makes the plan of a job that takes no arguments; it throws {@link UsageError} for any. */
export function planPlain(job: Job): TerminalCommand["plan"] {
  return (args) => {
    readArguments(args, {}, []);
    return job;
  };
}

/** Parses options, and one positional word for each name in `words`; throws {@link UsageError} for any fault. */
export function readArguments<const O extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: O,
  words: readonly string[],
) {
  const read = parse(args, options);
  if (read.positionals.length < words.length) {
    throw new UsageError(`Name the ${words.slice(read.positionals.length).join(" and the ")}.`);
  }
  const [spare] = read.positionals.slice(words.length);
  if (spare !== undefined) throw new UsageError(`${JSON.stringify(spare)} is one word too many.`);
  return read;
}

function parse<const O extends NonNullable<ParseArgsConfig["options"]>>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const isFault = String(Reflect.get(Object(error), "code")).startsWith("ERR_PARSE_ARGS_");
    if (isFault && error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}

/** Replaces by U+FFFD the characters of foreign text, such as a client's name, that would steer the terminal. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}

/** Formats rows as a table, each column as wide as its widest cell. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(plainText));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats an instant for a table: UTC, to the second. */
export function instantText(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
