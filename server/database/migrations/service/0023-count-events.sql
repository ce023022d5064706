-- As in 0017: a process of the earlier version that still runs is waited for once, and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.transaction_days, service.transaction_histograms, service.transaction_months,
        service.histogram_changes, service.rejection_days in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- Statistics count what happened to payments on the day on which it happened, and no longer by their present status on
-- the day of recording: a day that is over never changes again. They are counted anew from the payments. Events:
-- approved, pending and rejected, as a payment was recorded; settled and released, of holds; refunded.
alter table service.transaction_days rename column status to event;
alter table service.transaction_histograms rename column status to event;
alter table service.transaction_months rename column status to event;
alter table service.histogram_changes rename column status to event;
truncate service.transaction_days, service.transaction_histograms, service.transaction_months,
  service.histogram_changes, service.rejection_days;

create temporary table zone on commit drop as
  select coalesce((select time_zone from service.installation), 'America/Bogota') as name;
create temporary table events on commit drop as
  select entity_id, coalesce(p.business_day, (happened_at at time zone zone.name)::date) as day, told.kind, event, amount,
    reason, ceil(ln(amount::numeric) / ln(1.04))::integer as bucket
  from zone, (
    select made_by as entity_id, kind, amount, null as reason, posting_id, created_at as happened_at, 'approved' as event
      from service.transactions where held_amount is null and posting_id is not null
    union all
    select made_by, kind, amount, coalesce(reason, ''), null, created_at, 'rejected'
      from service.transactions where held_amount is null and posting_id is null
    union all
    select made_by, kind, held_amount, null, null, created_at, 'pending'
      from service.transactions where held_amount is not null
    union all
    select made_by, kind, amount, null, posting_id, created_at, 'settled'
      from service.transactions where held_amount is not null and posting_id is not null
    union all
    select t.made_by, t.kind, t.amount, coalesce(t.reason, ''), null, s.created_at, 'released'
      from service.transactions t join service.transaction_status_changes s on s.transaction_id = t.id
      where t.held_amount is not null and t.status = 'rejected' and s.sequence_number = t.status_count
    union all
    select t.made_by, t.kind, r.amount, null, r.posting_id, r.created_at, 'refunded'
      from service.transactions r join service.transactions t on t.id = r.reverses) as told
  left join service.postings p on p.id = told.posting_id;

insert into service.transaction_days (entity_id, day, kind, event, slot, count, amount)
  select entity_id, day, kind, event, 0, count(*), sum(amount) from events group by 1, 2, 3, 4;
insert into service.transaction_histograms
  select entity_id, day, kind, event, array_agg(bucket order by bucket), array_agg(n order by bucket),
    service.bucket_at(array_agg(bucket order by bucket), array_agg(n order by bucket), 0.5),
    service.bucket_at(array_agg(bucket order by bucket), array_agg(n order by bucket), 0.95)
  from (select entity_id, day, kind, event, bucket, count(*) as n from events group by 1, 2, 3, 4, 5) as counted
  group by 1, 2, 3, 4;
insert into service.transaction_months
  select entity_id, month, kind, event, array_agg(bucket order by bucket), array_agg(n order by bucket)
  from (select entity_id, date_trunc('month', day)::date as month, kind, event, bucket, count(*) as n
    from events group by 1, 2, 3, 4, 5) as counted
  group by 1, 2, 3, 4;
insert into service.rejection_days
  select entity_id, day, kind, reason, 0, count(*) from events where reason is not null group by 1, 2, 3, 4;
