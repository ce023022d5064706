import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** One request of a script: its lines without Host, type and length, its body, and what is taken out of its answer. */
export interface Step {
  readonly request: string;
  readonly headers: readonly string[];
  readonly body?: string;
  /** By name, the text that stands before the value; a later step writes the value where it has `<name>`. */
  readonly takes?: Readonly<Record<string, string>>;
}

/** Requests that one connection makes one after the other, and how often beside other scripts. */
export interface Script {
  readonly weight: number;
  /** Transactions that it leaves in the books. */
  readonly payments: number;
  readonly steps: readonly Step[];
}

/** A task of a load generator; README.md beside it has the placeholders of requests. */
interface Orders {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Seconds before those, which are counted in `done` and `statuses` alone. */
  readonly warmUp: number;
  /** Operations a second that begin whether earlier ones are answered or not; 0: each connection begins its next. */
  readonly rate?: number;
  /** Ends after so many operations, before the time is up. */
  readonly operations?: number;
  readonly replaysIn1000?: number;
  /** Begins every idempotency key. */
  readonly key: string;
  /** Good answers with this text are counted as marked. */
  readonly mark?: string;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly scripts: readonly Script[];
}

/** Latency in microseconds. */
interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** The findings of a load generator. An operation is done when the last answer of its script was good. */
export interface LoadFigures {
  readonly seconds: number;
  /** Seconds from the first request to the last answer. */
  readonly ranFor: number;
  /** Operations done in those seconds, by second. */
  readonly perSecond: number;
  readonly measured: number;
  readonly measuredMarked: number;
  readonly measuredStatuses: Readonly<Record<string, number>>;
  /** Of the whole run, without replays, as are those that follow. */
  readonly done: number;
  readonly marked: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly scripts: readonly number[];
  /** Requests that were sent a second time. */
  readonly replayed: number;
  /** Operations that lacked a text to be taken. */
  readonly stopped: number;
  /** Lost connections and missing answers. */
  readonly faults: number;
  /** Operations that were due and had no free connection until the end. */
  readonly unsent: number;
  /** From the moment when a request was due, and from the moment when it was sent, to its answer. */
  readonly sinceDue: Latency;
  readonly sinceSent: Latency;
  /** Cores that the generator kept busy. */
  readonly processorCores: number;
  /** The first few bad answers. */
  readonly samples: readonly string[];
}

/** A program that takes orders from its standard input and writes its figures as JSON. */
export interface LoadGenerator {
  /** Native, or Node, which takes more of the processors from what it measures. */
  readonly kind: "C" | "Node";
  run(orders: Orders): Promise<LoadFigures>;
}

function* linesOf({ lists, scripts, replaysIn1000 = 0, warmUp, ...settings }: Orders): Generator<string> {
  for (const [name, value] of Object.entries(settings)) yield `${name} ${value}`;
  yield `warm-up ${warmUp}`;
  yield `replays-in-1000 ${replaysIn1000}`;
  for (const [name, items] of Object.entries(lists)) {
    yield `list ${name} ${items.length}`;
    yield* items;
  }
  for (const { weight, steps } of scripts) {
    yield `script ${weight}`;
    for (const { request, headers, body = "", takes = {} } of steps) {
      yield* ["request", `${request} HTTP/1.1`, "Host: 127.0.0.1"];
      if (body !== "") yield "Content-Type: application/json";
      yield* [...headers, "", body];
      for (const [name, mark] of Object.entries(takes)) yield `take ${name} ${mark}`;
    }
  }
}

const COMPILER = "cc";

function compile(folder: string): string | undefined {
  const program = join(folder, "load");
  try {
    execFileSync(COMPILER, ["-O2", "-std=c11", "-o", program, join(import.meta.dirname, "load.c")], { stdio: "pipe" });
    return program;
  } catch {
    // No compiler, or a system without epoll.
    return undefined;
  }
}

/** Compiles the load generator into a folder; without a C compiler the one in Node takes its place. */
export function prepareLoad(folder: string, interrupted: AbortSignal): LoadGenerator {
  const program = compile(folder);
  const command = program === undefined ? [process.execPath, join(import.meta.dirname, "load.ts")] : [program];
  return {
    kind: program === undefined ? "Node" : "C",
    async run(orders) {
      const [file = "", ...rest] = command;
      const child = spawn(file, rest, { stdio: ["pipe", "pipe", "inherit"], signal: interrupted });
      const ended = once(child, "close");
      child.stdin.end(`${[...linesOf(orders)].join("\n")}\n`);
      const [figures, [code]] = await Promise.all([text(child.stdout), ended]);
      if (code !== 0) throw new Error(`The load generator ended with ${code}.`);
      return JSON.parse(figures) as LoadFigures;
    },
  };
}
