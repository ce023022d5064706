import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aListeningService, type ListeningService } from "../support/listening-service.ts";
import { aUser, type TestEntity } from "../support/service.ts";

const ASKING = 200;
const WITHIN = { timeout: 10_000 };

let service: ListeningService;
let [own, other]: readonly TestEntity[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await aListeningService();
  [own, other] = [await service.anEntity("Own"), await service.anEntity("Other")];
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // Reads of an entity take turns: behind this one no earlier read waits, which would hang in the next test.
  await other?.client.loanTypes({});
});
afterAll(() => service?.stop());

/** Opens connections that each ask for the loan types. */
async function ask(count: number, token: string): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const socket = connect({ port: Number(new URL(service.baseUrl).port), host: "127.0.0.1" });
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write(`GET /loan-types HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  }
}

/** Runs the work while every read of loan types hangs. */
function whileReadsHang<T>(work: () => Promise<T>): Promise<T> {
  return service.sql.begin(async (tx) => {
    await tx`lock table service.loan_types in access exclusive mode`;
    return work();
  }) as Promise<T>;
}

/** How many statements hang on that lock now. */
async function hanging(): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from pg_locks where relation = 'service.loan_types'::regclass and not granted`;
  return row?.count ?? 0;
}

describe("reads of one entity that hang", () => {
  it("hold three connections, while others read, pay, get tokens and see that the service is ready", async () => {
    if (own === undefined || other === undefined) throw new Error("no entities");
    const [payer, payee] = [await aUser(own, { quota: 10 }), await aUser(own)];
    const token = await other.accessToken();
    await whileReadsHang(async () => {
      await ask(50, token);
      await expect.poll(hanging).toBe(3);
      const body = { from_user_id: payer.id, to_user_id: payee.id, amount: 1 };
      expect((await own?.client.createTransaction({ body }))?.body.status).toBe("approved");
      expect((await own?.client.user({ query: { id: payer.id } }))?.body.quota_available).toBe(9);
      expect((await service.fetch(`${service.baseUrl}/health/ready`)).status).toBe(200);
      expect(await own?.accessToken()).toEqual(expect.any(String));
      expect(await hanging()).toBe(3);
    });
  });

  it("are 503 with Retry-After past two seconds", async () => {
    const headers = { authorization: `Bearer ${await other?.accessToken()}` };
    const read = () => service.fetch(`${service.baseUrl}/loan-types`, { headers });
    const answers = await whileReadsHang(async () => {
      const hung = [read(), read(), read()];
      await expect.poll(hanging).toBe(3);
      const late = await Promise.all([read(), read()]);
      return { hung, late };
    });
    for (const { status, headers: told } of answers.late) {
      expect([status, told.get("retry-after")]).toEqual([503, "2"]);
    }
    for (const { status } of await Promise.all(answers.hung)) expect(status).toBe(200);
  });

  it("never reach the database once their clients are gone", async () => {
    const token = (await other?.accessToken()) ?? "";
    const before = await reads();
    const { seen } = service;
    await whileReadsHang(async () => {
      const [arrived, left] = [seen.all + ASKING, seen.abandoned + ASKING];
      await ask(ASKING, token);
      await expect.poll(hanging).toBe(3);
      await expect.poll(() => seen.all, WITHIN).toBe(arrived);
      for (const socket of sockets.splice(0)) socket.destroy();
      await expect.poll(() => seen.abandoned, WITHIN).toBe(left);
    });
    await expect.poll(hanging).toBe(0);
    const { client } = other as TestEntity;
    expect((await client.loanTypes({})).body.length).toBeGreaterThan(0);
    expect((await reads()) - before).toBeLessThanOrEqual(10);
  });
});

/** How often the loan types were read. */
async function reads(): Promise<number> {
  await service.sql`select pg_stat_force_next_flush()`;
  await delay(1_200);
  const [row] = await service.sql<{ count: number }[]>`
    select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int as count
    from pg_stat_all_tables where relid = 'service.loan_types'::regclass`;
  return row?.count ?? 0;
}
