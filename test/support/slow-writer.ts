import { v7 } from "uuid";
import type { Sql, Tx } from "../../server/database/connect.ts";
import type { Action } from "../../server/ledger/model/command.ts";
import { Writer } from "../../server/ledger/writer.ts";
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
}

/** A process's writer whose commits are held open until the test lets them end. */
export interface SlowWriter {
  /** True while a commit is held open. */
  readonly isOpen: boolean;
  /** Decides and writes an action; resolves when its commit is all that is missing. */
  begin(entity: TestEntity, action: Action): Promise<void>;
  /** Commits what is open; returns the answer. */
  finish(): Promise<unknown>;
}

function holdingCommits(sql: Sql, beforeCommit: () => Promise<void>): Sql {
  const begin = (options: string, work: (tx: Tx) => Promise<unknown>) =>
    sql.begin(options, async (tx) => {
      const result = await work(tx);
      await beforeCommit();
      return result;
    });
  return new Proxy(sql, { get: (target, name) => (name === "begin" ? begin : Reflect.get(target, name)) });
}

/** Makes a writer whose commits take as long as the test wants. */
export function aSlowWriter({ sql, clock, random, slot }: SlowWriterOptions): SlowWriter {
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
    // Commits on remembered rows are sent at once: none can be held open.
    isDoubted: () => true,
  });
  return {
    get isOpen() {
      return isOpen;
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
