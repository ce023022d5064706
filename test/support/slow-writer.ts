import { v7 } from "uuid";
import type { ReservedSql, Sql, Tx } from "../../server/database/connect.ts";
import { Statement } from "../../server/database/driver/statement.ts";
import type { Row } from "../../server/database/driver/tag.ts";
import type { Action } from "../../server/ledger/model/command.ts";
import { Writer, type WriterFigures } from "../../server/ledger/writer.ts";
import { idSource } from "../../server/runtime/id-source.ts";
import { plainEventBody } from "./a-ledger.ts";
import { aCommand, anOrigin, type TestEntity } from "./ledger.ts";

/** The options of a slow writer. */
export interface SlowWriterOptions {
  readonly sql: Sql;
  /** Its own: processes' clocks differ. */
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly slot: number;
  /** False for a batch that may be committed on remembered rows. Default: every batch is committed with locks. */
  readonly isDoubted?: () => boolean;
}

/** A process's writer whose commits are held open until the test lets them end. */
export interface SlowWriter {
  /** True while a commit is held open. */
  readonly isOpen: boolean;
  readonly figures: WriterFigures;
  /** Decides and writes an action; resolves when its commit is all that is missing. */
  begin(entity: TestEntity, action: Action): Promise<void>;
  /** Commits what is open; returns the answer. */
  finish(): Promise<unknown>;
}

/** Runs the statements that `together` would send as one transaction inside one that stays open; returns their rows. */
async function runTogether(tx: Tx, give: (tx: Tx) => void): Promise<(readonly Row[])[]> {
  const given: Statement<readonly Row[]>[] = [];
  const noted = (made: unknown) =>
    made instanceof Statement ? Object.assign(made, { execute: () => given.push(made) }) : made;
  const noting = (method: unknown) =>
    typeof method === "function" ? (...args: unknown[]) => noted(method(...args)) : method;
  const get = (target: Tx, name: string | symbol) => noting(Reflect.get(target, name));
  give(new Proxy(tx, { get, apply: (target, _this, args) => noted(Reflect.apply(target, undefined, args)) }));
  return Promise.all(given);
}

function holdingCommits(sql: Sql, beforeCommit: () => Promise<void>): Sql {
  const begin = (options: string, work: (tx: Tx) => Promise<unknown>) =>
    sql.begin(options, async (tx) => {
      const result = await work(tx);
      await beforeCommit();
      return result;
    });
  const together = (give: (tx: Tx) => void) => begin("isolation level read committed", (tx) => runTogether(tx, give));
  const reserve = async () => instead(await sql.reserve(), { together } as Partial<ReservedSql>);
  return instead(sql, { begin, reserve } as Partial<Sql>);
}

function instead<T extends object>(whole: T, methods: Partial<T>): T {
  return new Proxy(whole, { get: (target, name) => Reflect.get(name in methods ? methods : target, name) });
}

/** Makes a writer whose commits take as long as the test wants. */
export function aSlowWriter({ sql, clock, random, slot, isDoubted = () => true }: SlowWriterOptions): SlowWriter {
  let written = Promise.withResolvers<void>();
  let released = Promise.withResolvers<void>();
  let posting: Promise<unknown> | undefined;
  let isOpen = false;
  const writer = new Writer({
    sql: holdingCommits(sql, () => {
      written.resolve();
      return released.promise;
    }),
    clock,
    nextId: idSource({ nowMs: () => clock().getTime(), random }),
    businessDay: (now) => now.toISOString().slice(0, 10),
    slot,
    counterpartyLimit: 10n ** 18n,
    eventBody: plainEventBody,
    isDoubted,
  });
  return {
    get isOpen() {
      return isOpen;
    },
    get figures() {
      return writer.figures;
    },
    async begin(entity, action) {
      [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      isOpen = true;
      posting = writer.post(aCommand(anOrigin(entity, v7()), action));
      await Promise.race([written.promise, posting]);
    },
    async finish() {
      released.resolve();
      isOpen = false;
      return (await posting) as unknown;
    },
  };
}
