import type { Sql, Tx } from "../../database/connect.ts";

/** Few enough that one database transaction takes a fraction of a second. */
const CHANGES_AT_ONCE = 10_000;
/** The next call continues a backlog, so that no call runs without end. */
const MOST_ROUNDS = 20;

/** One statement sees one instant: changes that are committed meanwhile are neither in what it adds nor deleted. */
async function foldRound(tx: Tx): Promise<boolean> {
  // Of two processes the second waits, as in the fold of the payees' totals.
  await tx`select from service.payee_folds for no key update`;
  const merged = tx`(select m.buckets, m.counts, service.bucket_at(m.buckets, m.counts, 0.5),
    service.bucket_at(m.buckets, m.counts, 0.95)
    from service.merge_histograms(t.buckets, t.counts, excluded.buckets, excluded.counts) m)`;
  const [taken] = await tx<{ count: bigint }[]>`
    with taken as (
      delete from service.histogram_changes
      where (entity_id, day, kind, event, version) in (
        select entity_id, day, kind, event, version from service.histogram_changes limit ${CHANGES_AT_ONCE})
      returning entity_id, day, kind, event, buckets, counts),
    sums as (
      select entity_id, day, kind, event, b, sum(c)::bigint as c
      from taken cross join lateral unnest(buckets, counts) as u(b, c)
      group by entity_id, day, kind, event, b having sum(c) <> 0),
    days as (
      insert into service.transaction_histograms as t
      select entity_id, day, kind, event, array_agg(b order by b), array_agg(c order by b),
        service.bucket_at(array_agg(b order by b), array_agg(c order by b), 0.5),
        service.bucket_at(array_agg(b order by b), array_agg(c order by b), 0.95)
      from sums group by entity_id, day, kind, event
      on conflict (entity_id, day, kind, event) do update
      set (buckets, counts, median_bucket, p95_bucket) = ${merged}),
    months as (
      insert into service.transaction_months as t
      select entity_id, month, kind, event, array_agg(b order by b), array_agg(c order by b)
      from (select entity_id, date_trunc('month', day)::date as month, kind, event, b, sum(c)::bigint as c from sums
        group by 1, 2, 3, 4, 5 having sum(c) <> 0) by_month
      group by entity_id, month, kind, event
      on conflict (entity_id, month, kind, event) do update set (buckets, counts) = (select m.buckets, m.counts
        from service.merge_histograms(t.buckets, t.counts, excluded.buckets, excluded.counts) m))
    select count(*) from taken`;
  return taken === undefined || taken.count < CHANGES_AT_ONCE;
}

/**
 * Adds what commits left to the histograms of their days and months. Several processes may do so at once, and a run
 * that is given up leaves no trace.
 */
export async function foldHistograms({ sql }: { readonly sql: Sql }): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (await sql.begin("isolation level read committed", (tx) => foldRound(tx))) return;
  }
}
