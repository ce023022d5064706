import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** The functions that a child process offers: one per question, with one argument that can be cloned. */
type Calls = Readonly<Record<string, (argument: never) => unknown>>;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** A process of our own that answers questions. */
export interface Child<C extends Calls> {
  readonly pid: number;
  ask<N extends keyof C & string>(name: N, argument: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>>;
  /** Lets it end by itself; resolves when it has. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;

/** Returns the arguments that make Node write a CPU profile into a folder; none without a folder. */
export function profilingArguments(folder: string | undefined): readonly string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** Starts a module as a process of its own, which answers through {@link answerParent}. */
export function startChild<C extends Calls>(file: string, profileFolder: string | undefined): Child<C> {
  const execArgv = [...profilingArguments(profileFolder)];
  const child = fork(file, { serialization: "advanced", execArgv });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  const exited = once(child, "exit").then(() => {
    for (const { reject } of open.values()) reject(new Error(`${file} ended before it answered`));
    open.clear();
  });
  let asked = 0;
  child.on("message", ({ id, value, error }: Answer) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(error);
  });
  return {
    pid: child.pid ?? 0,
    ask(name, argument) {
      const waiting = Promise.withResolvers<unknown>();
      asked += 1;
      open.set(asked, waiting);
      const question: Question = { id: asked, name, argument };
      child.send(question, (error) => error && waiting.reject(error));
      return waiting.promise as Promise<Awaited<ReturnType<C[typeof name]>>>;
    },
    stop: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

/** The child's side: answers each question by its function, and ends when the parent disconnects or dies. */
export function answerParent(calls: Calls): void {
  // The terminal's Ctrl-C reaches every process of the run; the parent decides when its children end.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ id, name, argument }: Question) => {
    const answer = await Promise.resolve()
      .then(() => (calls[name] as (argument: unknown) => unknown)(argument))
      .then(
        (value): Answer => ({ id, value }),
        (error): Answer => ({ id, error }),
      );
    process.send?.(answer);
  });
}
