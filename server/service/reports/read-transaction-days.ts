import { addDays } from "../../../src/calendar-day.ts";
import type { Tx } from "../../database/connect.ts";
import type { PaymentEventName } from "../../ledger/model/state.ts";
import { firstDayOf, monthOf } from "./months.ts";
import type { ReportPeriod } from "./report-period.ts";

/** The events by which a payment is recorded: it has one of them, once. */
export const CREATED: readonly PaymentEventName[] = Object.freeze(["approved", "pending", "rejected"]);

/** How often one event happened to payments of one kind, on a day or in all of the period, and their amounts. */
export interface CountedGroup {
  readonly kind: string;
  readonly event: PaymentEventName;
  readonly count: bigint;
  readonly amount: bigint;
  /** Buckets of the histogram of amounts. */
  readonly median: number | null;
  readonly percentile95: number | null;
}

/** The number of rejected payments of one kind and one reason; the reason is empty where none was given. */
export interface CountedRejections {
  readonly kind: string;
  readonly reason: string;
  readonly count: bigint;
}

/** An event of payments of a kind on one day. */
export type DayGroup = CountedGroup & { readonly day: string };

/** Figures of a histogram; of all payments that were created, refunds left out, where kind and event are null. */
interface Spread {
  readonly kind: string | null;
  readonly event: string | null;
  readonly median: number | null;
  readonly percentile95: number | null;
}

/** The figures of the payments that an entity made in a period. */
export interface TransactionFigures {
  readonly days: readonly DayGroup[];
  readonly spreads: readonly Spread[];
  readonly rejections: readonly CountedRejections[];
}

type DayRow = Omit<DayGroup, "count" | "amount"> & { readonly count: string; readonly amount: string };

/** A histogram stores its median and percentile; one that has changes which are not folded must be merged with them. */
async function readDays(tx: Tx, entityId: string, { firstDay, lastDay }: ReportPeriod): Promise<DayGroup[]> {
  const rows = await tx<DayRow[]>`
    with groups as (
      select day, kind, event, sum(count) as count, sum(amount) as amount from service.transaction_days
      where entity_id = ${entityId} and day between ${firstDay} and ${lastDay}
      group by day, kind, event having sum(count) > 0),
    changed as (
      select day, kind, event, b, sum(c)::bigint as c
      from service.histogram_changes cross join lateral unnest(buckets, counts) as u(b, c)
      where entity_id = ${entityId} and day between ${firstDay} and ${lastDay} group by day, kind, event, b),
    merged as (
      select day, kind, event, service.bucket_at(array_agg(b), array_agg(c), 0.5) as median,
        service.bucket_at(array_agg(b), array_agg(c), 0.95) as p95
      from (
        select day, kind, event, b, sum(c)::bigint as c from (
          select day, kind, event, b, c from changed
          union all
          select day, kind, event, b, c from service.transaction_histograms
            cross join lateral unnest(buckets, counts) as u(b, c)
          where entity_id = ${entityId} and (day, kind, event) in (select day, kind, event from changed)) parts
        group by day, kind, event, b having sum(c) <> 0) sums
      group by day, kind, event)
    select g.day::text, g.kind, g.event, g.count::text, g.amount::text,
      coalesce(m.median, h.median_bucket) as median, coalesce(m.p95, h.p95_bucket) as percentile95
    from groups g
    left join merged m using (day, kind, event)
    left join service.transaction_histograms h
      on h.entity_id = ${entityId} and h.day = g.day and h.kind = g.kind and h.event = g.event
    order by g.day, g.kind, g.event`;
  return rows.map((row) => ({ ...row, count: BigInt(row.count), amount: BigInt(row.amount) }));
}

/** The first day of the month that begins nearest to a day: its own, or the next. */
function nearestMonth(day: string): string {
  return firstDayOf(monthOf(addDays(day, 15)));
}

/**
 * Histograms are kept by month too: a long period reads the months nearest to it, adds the days that they lack and
 * subtracts those that they have too many, at most half a month at either end. Without months, the range is empty: from
 * a first day to the day before it. Changes that are not folded are in neither.
 */
async function readSpreads(tx: Tx, entityId: string, { firstDay, lastDay }: ReportPeriod): Promise<Spread[]> {
  const [first, last] = [nearestMonth(firstDay), addDays(nearestMonth(addDays(lastDay, 1)), -1)];
  return tx<Spread[]>`
    with parts as (
      select kind, event, 1 as sign, buckets, counts from service.transaction_months
      where entity_id = ${entityId} and month between ${first} and ${last}
      union all
      select kind, event, 1, buckets, counts from service.transaction_histograms
      where entity_id = ${entityId} and day between ${firstDay} and ${lastDay}
        and not (day between ${first} and ${last})
      union all
      select kind, event, -1, buckets, counts from service.transaction_histograms
      where entity_id = ${entityId} and day between ${first} and ${last}
        and not (day between ${firstDay} and ${lastDay})
      union all
      select kind, event, 1, buckets, counts from service.histogram_changes
      where entity_id = ${entityId} and day between ${firstDay} and ${lastDay}),
    merged as (
      select kind, event, b, sum(sign * c)::bigint as c
      from parts cross join lateral unnest(buckets, counts) as u(b, c) group by kind, event, b
      having sum(sign * c) <> 0)
    select kind, event, service.bucket_at(array_agg(b), array_agg(c), 0.5) as median,
      service.bucket_at(array_agg(b), array_agg(c), 0.95) as percentile95
    from merged group by kind, event
    union all
    select null, null, service.bucket_at(array_agg(b), array_agg(c), 0.5),
      service.bucket_at(array_agg(b), array_agg(c), 0.95)
    from merged where kind <> 'refund' and event = any(${[...CREATED]})`;
}

async function readRejections(
  tx: Tx,
  entityId: string,
  { firstDay, lastDay }: ReportPeriod,
): Promise<CountedRejections[]> {
  const rows = await tx<{ kind: string; reason: string; count: string }[]>`
    select kind, reason, sum(count)::text as count from service.rejection_days
    where entity_id = ${entityId} and day between ${firstDay} and ${lastDay} group by kind, reason`;
  return rows.map((row) => ({ ...row, count: BigInt(row.count) }));
}

/**
 * Reads the figures of the payments that an entity made in a period from the roll-ups of days and months, not from the
 * payments.
 */
export async function readTransactionDays(tx: Tx, entityId: string, period: ReportPeriod): Promise<TransactionFigures> {
  const [days, spreads, rejections] = await Promise.all([
    readDays(tx, entityId, period),
    readSpreads(tx, entityId, period),
    readRejections(tx, entityId, period),
  ]);
  return { days, spreads, rejections };
}
