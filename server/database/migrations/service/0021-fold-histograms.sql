-- As in 0017: a process of the earlier version that still runs is waited for once, and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.transaction_days, service.transaction_months in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- The histograms of amounts are merged outside of the commits, which only add rows of changes: to merge took a third of
-- a small commit. Whoever merges is alone, so that a day or month has one row, and not one for each slot of writers.
create table service.transaction_histograms (
  entity_id uuid not null,
  day date not null,
  kind text not null,
  status text not null,
  buckets integer[] not null,
  counts bigint[] not null,
  -- Kept beside the histogram, so that a report over many days need not read it.
  median_bucket integer,
  p95_bucket integer,
  primary key (entity_id, day, kind, status)
);
insert into service.transaction_histograms
  select entity_id, day, kind, status, array_agg(b order by b), array_agg(c order by b),
    service.bucket_at(array_agg(b order by b), array_agg(c order by b), 0.5),
    service.bucket_at(array_agg(b order by b), array_agg(c order by b), 0.95)
  from (select entity_id, day, kind, status, b, sum(c)::bigint as c
    from service.transaction_days cross join lateral unnest(buckets, counts) as u(b, c)
    group by 1, 2, 3, 4, 5 having sum(c) <> 0) as summed
  group by 1, 2, 3, 4;
alter table service.transaction_days
  drop column buckets, drop column counts, drop column median_bucket, drop column p95_bucket;

create temporary table earlier_months on commit drop as
  select entity_id, month, kind, status, b, sum(c)::bigint as c
  from service.transaction_months cross join lateral unnest(buckets, counts) as u(b, c)
  group by 1, 2, 3, 4, 5 having sum(c) <> 0;
drop table service.transaction_months;
create table service.transaction_months (
  entity_id uuid not null,
  month date not null,
  kind text not null,
  status text not null,
  buckets integer[] not null,
  counts bigint[] not null,
  primary key (entity_id, month, kind, status)
);
insert into service.transaction_months
  select entity_id, month, kind, status, array_agg(b order by b), array_agg(c order by b)
  from earlier_months group by 1, 2, 3, 4;

-- What commits add to those histograms, until it is added.
create table service.histogram_changes (
  entity_id uuid not null,
  day date not null,
  kind text not null,
  status text not null,
  -- One for all rows of a commit.
  version bigint not null,
  buckets integer[] not null,
  counts bigint[] not null,
  primary key (entity_id, day, kind, status, version)
);
