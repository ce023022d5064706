import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../server/ledger/model/command.ts";
import type { Answer } from "../../src/client.ts";
import { aGrant, aRegistration } from "../support/ledger.ts";
import { aService, type TestEntity, type TestService } from "../support/service.ts";
import { aSlowWriter, type SlowWriter } from "../support/slow-writer.ts";

/** How far the clocks of two processes may differ (sync-page.ts of the service). A commit may take any time. */
const CLOCK_SKEW_SECONDS = 29;

let service: TestService;

beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.stop());

type Step =
  | { readonly type: "register"; readonly writer: number }
  | { readonly type: "rename" | "grant"; readonly writer: number; readonly whom: number }
  | { readonly type: "finish"; readonly writer: number }
  | { readonly type: "wait"; readonly seconds: number }
  | { readonly type: "read"; readonly list: number };

const writerIndex = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("register" as const), writer: writerIndex }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("rename" as const), writer: writerIndex, whom: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("grant" as const), writer: writerIndex, whom: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("finish" as const), writer: writerIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 600 }) }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("read" as const), list: fc.nat(1) }) },
);

interface ListQuery {
  readonly limit: string;
  readonly cursor?: string | undefined;
  readonly "changed-since"?: string | undefined;
}
type Read = (query: ListQuery) => Promise<Answer<readonly { readonly id: string }[]>>;

/** A client that keeps a copy of a list by id, and syncs it one page at a time. */
class Mirror {
  readonly #read: Read;
  readonly #records = new Map<string, unknown>();
  #since: string | undefined;
  #cursor: string | undefined;

  constructor(read: Read) {
    this.#read = read;
  }

  /** Reads one page; true if it was the last. */
  async readPage(): Promise<boolean> {
    const query = { limit: "2", cursor: this.#cursor, "changed-since": this.#since };
    const { body, nextCursor, syncToken } = await this.#read(query);
    for (const record of body) this.#records.set(record.id, record);
    this.#cursor = nextCursor;
    if (nextCursor === undefined) this.#since = syncToken;
    return nextCursor === undefined;
  }

  /** Ends the sync under way, syncs once more, and returns its records. */
  async finish(): Promise<ReadonlyMap<string, unknown>> {
    for (let isLast = false, last = 0; last < 2; last += isLast ? 1 : 0) isLast = await this.readPage();
    return this.#records;
  }
}

/** Reads all of the server's records in one page. */
async function truthOf(read: Read): Promise<ReadonlyMap<string, unknown>> {
  const { body, nextCursor } = await read({ limit: "500" });
  expect(nextCursor).toBeUndefined();
  return new Map(body.map((record) => [record.id, record]));
}

/** One entity, two processes that write for it, and clients that keep what they wrote. */
class SyncFixture {
  readonly #entity: TestEntity;
  readonly writers: readonly SlowWriter[];
  readonly #busy = new Map<SlowWriter, string>();
  readonly #users: string[] = [];
  readonly reads: readonly Read[];
  readonly mirrors: readonly Mirror[];

  constructor(entity: TestEntity, skews: readonly number[], isDoubted: () => boolean) {
    this.#entity = entity;
    this.writers = skews.map((seconds, slot) => {
      const clock = () => new Date(service.clock().getTime() + seconds * 1000);
      return aSlowWriter({ sql: service.sql, clock, random: (length) => randomBytes(length), slot, isDoubted });
    });
    this.reads = [
      async (query) => {
        const { body, ...page } = await entity.client.users({ query });
        // A grant changes the balance of a user, which is no change of its record.
        return { ...page, body: body.map(({ quota: _, quota_available: __, ...record }) => record) };
      },
      (query) => entity.client.entries({ query: { account: "credits_receivable", ...query } }),
    ];
    this.mirrors = this.reads.map((read) => new Mirror(read));
  }

  async carryOut(step: Step): Promise<void> {
    if (step.type === "wait") return service.advance(step.seconds);
    if (step.type === "read") return void (await this.mirrors[step.list]?.readPage());
    const writer = this.writers[step.writer] as SlowWriter;
    if (step.type === "finish") return this.#finish(writer);
    if (writer.isOpen) return;
    const target = { id: this.#entity.entityId, clientId: this.#entity.clientId };
    if (step.type === "register") return writer.begin(target, aRegistration(1n));
    // A user whose change is open is locked: whoever changes it next waits for that commit.
    const free = this.#users.filter((id) => ![...this.#busy.values()].includes(id));
    const userId = free[step.whom % free.length];
    if (userId === undefined) return;
    this.#busy.set(writer, userId);
    const rename: Action = { type: "update-user", userId, changes: { name: `Ana ${step.whom}` } };
    await writer.begin(target, step.type === "rename" ? rename : aGrant(userId, 1n, { dueDate: undefined }));
  }

  async finishAll(): Promise<void> {
    for (const writer of this.writers) await this.#finish(writer);
  }

  async #finish(writer: SlowWriter): Promise<void> {
    if (!writer.isOpen) return;
    const { body } = (await writer.finish()) as { readonly body: { readonly id: string } };
    if (!this.#busy.delete(writer)) this.#users.push(body.id);
  }
}

/** Each process has opened its accounts. */
const FIRST: readonly Step[] = [0, 1].flatMap((writer): Step[] => [
  { type: "register", writer },
  { type: "finish", writer },
]);

/** Tries histories; returns how many of their commits were on remembered rows. */
async function trySyncs(isDoubted: boolean): Promise<number> {
  let remembered = 0;
  const skew = fc.integer({ min: -CLOCK_SKEW_SECONDS, max: CLOCK_SKEW_SECONDS });
  const law = fc.asyncProperty(
    fc.array(step, { minLength: 20, maxLength: 60 }),
    fc.tuple(skew, skew),
    async (steps, skews) => {
      const fixture = new SyncFixture(await service.anEntity(), skews, () => isDoubted);
      for (const each of [...FIRST, ...steps]) await fixture.carryOut(each);
      await fixture.finishAll();
      for (const [index, mirror] of fixture.mirrors.entries()) {
        expect(await mirror.finish()).toEqual(await truthOf(fixture.reads[index] as Read));
      }
      for (const { figures } of fixture.writers) remembered += figures.remembered;
    },
  );
  await fc.assert(law, { numRuns: 30 });
  return remembered;
}

describe("who syncs again and again has all that slow commits of several processes wrote, in whatever order", () => {
  it("with locks", async () => {
    expect(await trySyncs(true)).toBe(0);
  });

  it("on remembered rows, where these suffice", async () => {
    expect(await trySyncs(false)).toBeGreaterThan(20);
  });
});
