import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../../../test/support/service.ts";
import { visibleTo } from "../transactions/transaction-answer.ts";
import { visibleSide } from "./visible-side.ts";

const COLUMNS = ["to_user_id", "from_user_id"] as const;
const PAYMENTS = 5_000;

let service: TestService;
let one: TestEntity;
let two: TestEntity;
let stranger: TestEntity;
let busy: string;

/** Pays, and pays part of it back. */
async function pay(entity: TestEntity, from: string, to: string, payee: TestEntity): Promise<void> {
  const body = { from_user_id: from, to_user_id: to, amount: 2 };
  const { body: made } = await entity.client.createTransaction({ body });
  await payee.client.reverseTransaction({ body: { id: made.id, amount: 1 } });
}

beforeAll(async () => {
  service = await aService();
  [one, two, stranger] = [await service.anEntity(), await service.anEntity(), await service.anEntity()];
  busy = (await aUser(one, { quota: 1_000 })).id;
  const [own, other] = [await aUser(one, { quota: 1_000 }), await aUser(two, { quota: 1_000 })];
  await pay(one, own.id, busy, one);
  await pay(one, busy, other.id, two);
  await pay(two, other.id, busy, one);
  // Neither moves money: both are hidden from the payee's creator, and across entities.
  const reject = { amount: 9_999_999, to_user_id: busy, from_user_id: other.id };
  await two.client.createTransaction({ body: reject });
  await one.client.createTransaction({ body: { ...reject, to_user_id: other.id, from_user_id: busy } });
  const { sql } = service;
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'service' and table_name = 'transactions' and column_name not in ('id', 'reference')`;
  const names = columns.map(({ name }) => name).join(", ");
  await sql.unsafe(`
    insert into service.transactions (id, reference, ${names})
    select gen_random_uuid(), id || ' ' || n, ${names} from service.transactions, generate_series(1, ${PAYMENTS}) n
    where status = 'rejected' or to_user_id = '${busy}' and from_user_id = '${own.id}'`);
  await sql`analyze service.transactions`;
});
afterAll(() => service.stop());

describe("what is seen of a user's payments", () => {
  it("is all that a viewer may see, each once", async () => {
    const { sql } = service;
    for (const viewerId of [one, two, stranger].map(({ entityId }) => entityId)) {
      for (const column of COLUMNS) {
        const { condition } = visibleSide(sql, {
          table: "transactions",
          column,
          userId: busy,
          creatorId: one.entityId,
          viewerId,
        });
        const seen = await sql<{ id: string }[]>`select id from service.transactions where ${condition}`;
        const visible = await sql<{ id: string }[]>`
          select id from service.transactions where ${sql(column)} = ${busy} and ${visibleTo(sql, viewerId)}`;
        const ids = seen.map(({ id }) => id);
        expect(ids.sort()).toEqual(visible.map(({ id }) => id).sort());
      }
    }
  });

  it("is read without a look at what the viewer may not see", async () => {
    const { sql } = service;
    const viewers = [one, two, stranger].map(({ entityId }) => entityId);
    for (const [viewerId, column] of viewers.flatMap((id) => COLUMNS.map((each) => [id, each] as const))) {
      const looking = { table: "transactions", column, userId: busy, creatorId: one.entityId, viewerId } as const;
      const { condition, newestFirst } = visibleSide(sql, looking);
      const plan = await sql`
        explain (analyze, costs off, timing off, summary off)
        select id from service.transactions where ${condition} ${newestFirst} limit 101`;
      const lines = plan.map((row) => String(row["QUERY PLAN"]));
      expect(lines.filter((line) => line.includes("Rows Removed"))).toEqual([]);
    }
  });
});
