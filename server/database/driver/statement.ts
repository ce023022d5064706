/** How a statement travels: prepared and kept by its connection, prepared for this once, or as a script of several. */
export type Mode = "kept" | "once" | "script";

/** Runs a statement somewhere: on a connection of a pool, or on that of a transaction. */
export type Run = (statement: Statement<unknown>) => Promise<unknown>;

/** The stack of the first statement of each template: added to errors of PostgreSQL, it shows the calling code. */
const origins = new WeakMap<readonly string[], Error>();
/** Frames of the calling code to keep, behind those of the driver itself. */
const ORIGIN_FRAMES = 7;
const OWN_LINES = 4;

/**
 * A statement, or a part of one, that was written and not yet sent. It runs when it is first awaited, once; put into
 * another one it never runs by itself.
 */
export class Statement<Rows> implements Promise<Rows> {
  readonly [Symbol.toStringTag] = "Statement";
  /** The text around its parameters. */
  readonly strings: readonly string[];
  readonly parameters: readonly unknown[];
  readonly #run: Run;
  #mode: Mode;
  #rows: Promise<Rows> | undefined;

  constructor(strings: readonly string[], parameters: readonly unknown[], run: Run, mode: Mode = "kept") {
    this.strings = strings;
    this.parameters = parameters;
    this.#run = run;
    this.#mode = mode;
    if ("raw" in strings && !origins.has(strings)) origins.set(strings, originOf());
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Sends it as a script, which may hold several statements and takes no parameters. */
  simple(): this {
    this.#mode = "script";
    return this;
  }

  /** Runs it now instead of when it is awaited. */
  execute(): this {
    void this.#start();
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like the promise of its rows.
  then<Result1 = Rows, Result2 = never>(
    onFulfilled?: ((rows: Rows) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.#start().then(onFulfilled, onRejected);
  }

  catch<Result = never>(onRejected?: ((reason: unknown) => Result | PromiseLike<Result>) | null) {
    return this.#start().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Rows> {
    return this.#start().finally(onFinally);
  }

  /** Adds the stack of the calling code to an error that PostgreSQL answered the statement with. */
  tellOrigin(error: unknown): void {
    const origin = origins.get(this.strings)?.stack?.split("\n").slice(OWN_LINES).join("\n");
    const isAnswer = error instanceof Error && "severity" in error;
    if (origin !== undefined && isAnswer) error.stack = `${error.stack}\n${origin}`;
  }

  #start(): Promise<Rows> {
    this.#rows ??= this.#run(this) as Promise<Rows>;
    return this.#rows;
  }
}

function originOf(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = ORIGIN_FRAMES;
  const origin = new Error("origin");
  Error.stackTraceLimit = limit;
  return origin;
}
