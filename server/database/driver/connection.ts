import { Client, type ClientConfig, type DatabaseError, Query, type Submittable } from "pg";
import { parserOf } from "./column-parsers.ts";
import { commitFailure, doubtOf } from "./commit-outcome.ts";
import type { Composed } from "./compose.ts";
import { connectionError, withCode } from "./connection-error.ts";
import { type Answer, type Part, type Prepared, StatementGroup } from "./statement-group.ts";

/** The login of a connection, and the settings that its session starts with. */
export interface Session extends ClientConfig {
  readonly settings: Readonly<Record<string, string>>;
}

/** A connection prepares and keeps so many statements; one whose text is new after that is prepared each time. */
const MOST_KEPT = 1_000;
const KEEP_ALIVE_MS = 60_000;
/** A connection is renewed after this, so that neither side gathers memory for ever. */
const LIFETIME_MS = 45 * 60_000;

/** The SQLSTATE of a statement that wrote where only reading is possible: on a standby, or a primary set so. */
const ONLY_READS = "25006";

/** The routines of PostgreSQL that refuse a kept statement whose tables were altered since, or that is gone. */
const STALE_ROUTINES: ReadonlySet<string | undefined> = new Set(["RevalidateCachedQuery", "FetchPreparedStatement"]);

function isStale(error: unknown): boolean {
  return STALE_ROUTINES.has((error as DatabaseError).routine);
}

/** The client with any settings of a session, of which the library itself passes on a few. */
class SessionClient extends Client {
  readonly #settings: Session["settings"];

  constructor({ settings, ...config }: Session) {
    super({
      ...config,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: parserOf },
    });
    this.#settings = settings;
  }

  getStartupConf(): Readonly<Record<string, string | undefined>> {
    return { user: this.user, database: this.database, ...this.#settings };
  }
}

/** One connection to PostgreSQL. Statements that are given without waiting travel together and are answered in turn. */
export class Connection {
  readonly #client: SessionClient;
  /** By text, one for each types of parameters that it was given. */
  readonly #kept = new Map<string, Prepared[]>();
  #keptCount = 0;
  readonly #lost = new AbortController();
  readonly openedAtMs = performance.now();
  #gathered: Part[] = [];
  #isStale = false;
  #onlyReads = false;
  /** Why what is answered next is not known to be committed. */
  #doubt: Error | undefined;
  #isCorked = false;

  private constructor(client: SessionClient) {
    this.#client = client;
    client.on("error", (error) => this.#lose(withCode(error)));
    client.on("notice", (notice) => {
      this.#doubt ??= doubtOf(notice);
    });
  }

  /** Opens one; fails, with a code where nothing answered, within the time of the session's options. */
  static async open(session: Session): Promise<Connection> {
    const client = new SessionClient(session);
    const connection = new Connection(client);
    try {
      await client.connect();
    } catch (error) {
      client.connection.stream.destroy();
      throw error instanceof Error ? withCode(error) : error;
    }
    return connection;
  }

  /** Aborts when the connection can no longer be used; the reason is an error that says why. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** True while the connection may be lent again: it is whole, outside of a transaction, and not due to be renewed. */
  get isReusable(): boolean {
    const isUsable = !this.lost.aborted && !this.#isStale && performance.now() < this.openedAtMs + LIFETIME_MS;
    return isUsable && !this.#onlyReads && this.#client.getTransactionStatus() === "I";
  }

  /** True once a statement was refused because its server only reads: another host may have taken over. */
  get onlyReads(): boolean {
    return this.#onlyReads;
  }

  /** Runs a statement. One that is refused only because it was prepared before a migration is run again afresh. */
  async run(composed: Composed): Promise<Answer | readonly Answer[]> {
    try {
      return await this.#runOnce(composed, this.#preparedOf(composed));
    } catch (error) {
      const { types, text } = composed;
      if (!isStale(error) || this.#client.getTransactionStatus() !== "I") throw error;
      return await this.#runOnce(composed, { name: undefined, text, types, isSent: false, columns: undefined });
    }
  }

  /**
   * Runs a statement of a transaction, in one group with those that are given in the same go: after one that fails,
   * `begin` too, no other of the group is run.
   */
  async join(composed: Composed): Promise<Answer | readonly Answer[]> {
    if (composed.mode === "script") {
      this.#sendGathered();
      return await this.run(composed);
    }
    if (this.#gathered.length === 0) process.nextTick(() => this.#sendGathered());
    return await this.#answerOf((resolve, reject) => {
      this.#gathered.push({ ...composed, prepared: this.#preparedOf(composed), resolve, reject });
    });
  }

  /**
   * Runs statements as one group and outside of a transaction block, which makes the group a transaction: PostgreSQL
   * commits all of them or none. Several groups may be under way.
   */
  async runTogether(statements: readonly Composed[]): Promise<readonly Answer[]> {
    const given = statements.map((composed) => ({ composed, ...Promise.withResolvers<Answer>() }));
    const group = this.#sendGroup(
      given.map(({ composed, ...settle }) => ({ ...composed, prepared: this.#preparedOf(composed), ...settle })),
    );
    try {
      return await Promise.all(given.map(({ promise }) => promise));
    } catch (error) {
      const failure = this.#explain(error as DatabaseError);
      // Until the last statement is answered, PostgreSQL has not begun to commit what it refuses.
      const isCertain = "severity" in failure && !group.isAnswered;
      throw isCertain ? failure : commitFailure(failure, undefined);
    }
  }

  /** Ends it once what was given is answered. */
  async close(): Promise<void> {
    this.#lose(connectionError("CONNECTION_ENDED"));
    await this.#client.end();
  }

  /** Ends it now; what was given and is not answered fails. */
  destroy(): void {
    this.#lose(connectionError("CONNECTION_DESTROYED"));
    this.#client.connection.stream.destroy();
  }

  #lose(error: Error): void {
    if (!this.lost.aborted) this.#lost.abort(error);
  }

  /** The statement as the session keeps it, or for this once. */
  #preparedOf({ text, types, mode }: Composed): Prepared {
    const ofText = this.#kept.get(text) ?? [];
    const known = ofText.find((each) => each.types.every((type, index) => type === types[index]));
    if (known !== undefined) return known;
    const isKept = mode === "kept" && this.#keptCount < MOST_KEPT;
    const name = isKept ? `s${this.#keptCount++}` : undefined;
    const prepared: Prepared = { name, text, types, isSent: false, columns: undefined };
    if (isKept) this.#kept.set(text, [...ofText, prepared]);
    return prepared;
  }

  #runOnce({ mode, text, ...given }: Composed, prepared: Prepared): Promise<Answer | readonly Answer[]> {
    return this.#answerOf((resolve, reject) => {
      if (mode !== "script") this.#sendGroup([{ ...given, prepared, resolve, reject }]);
      else
        this.#send(
          new Query(text, (error: Error | undefined, answer: Answer) => {
            const failure = this.#takeDoubt() ?? error;
            if (failure) reject(failure);
            else resolve(answer);
          }),
        );
    });
  }

  #sendGathered(): void {
    const parts = this.#gathered;
    this.#gathered = [];
    if (parts.length > 0) this.#sendGroup(parts);
  }

  #sendGroup(parts: readonly Part[]): StatementGroup {
    const group = new StatementGroup(parts, () => this.#takeDoubt());
    this.#send(group);
    return group;
  }

  /** A notice comes before the end of the answer that it belongs to, and after those of earlier queries. */
  #takeDoubt(): Error | undefined {
    const doubt = this.#doubt;
    this.#doubt = undefined;
    return doubt;
  }

  async #answerOf(send: (resolve: (answer: Answer) => void, reject: (error: unknown) => void) => void) {
    try {
      return await new Promise<Answer | readonly Answer[]>(send);
    } catch (error) {
      throw this.#explain(error as DatabaseError);
    }
  }

  /** On a connection that is lost the library itself lets a query fail. */
  #send(query: object): void {
    this.#cork();
    this.#client.query(query as Submittable);
  }

  /** Statements that are given in one go leave in one packet. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #explain(error: DatabaseError): Error {
    const { severity, code } = error;
    if (severity === "FATAL") this.#lose(error);
    if (severity !== undefined && code === ONLY_READS) this.#onlyReads = true;
    if (isStale(error)) this.#isStale = true;
    return "code" in error || !this.lost.aborted ? error : this.lost.reason;
  }
}
