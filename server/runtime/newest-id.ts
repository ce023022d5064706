import type { Sql } from "../database/connect.ts";

/**
 * Reads the newest id of the records of a part, service or broker, by which its lists are ordered; undefined while
 * there is none. Each table is read by an index; changes of users and credits are indexed by their entity.
 */
export async function newestId(sql: Sql, part: "service" | "broker"): Promise<string | undefined> {
  const [row] = await (part === "service" ? newestOfService(sql) : newestOfBroker(sql));
  return row?.id;
}

function newestOfService(sql: Sql) {
  return sql<{ id: string }[]>`
    select id from (
      (select id from service.postings order by id desc limit 1)
      union all (select id from service.transactions order by id desc limit 1)
      union all (select id from service.transfers order by id desc limit 1)
      union all (select id from service.users order by id desc limit 1)
      union all (select id from service.credits order by id desc limit 1)
      union all (select id from service.events order by id desc limit 1)
      union all (select change_id from service.transaction_changes order by change_id desc limit 1)
      union all select u.changed_id from service.entities e cross join lateral (
        select changed_id from service.users where creator_id = e.id order by changed_id desc limit 1) u
      union all select c.changed_id from service.entities e cross join lateral (
        select changed_id from service.credits where entity_id = e.id order by changed_id desc limit 1) c
    ) as newest (id) order by id desc limit 1`;
}

function newestOfBroker(sql: Sql) {
  return sql<{ id: string }[]>`
    select id from (
      (select id from broker.recharges order by id desc limit 1)
      union all (select id from broker.merchants order by id desc limit 1)
    ) as newest (id) order by id desc limit 1`;
}
