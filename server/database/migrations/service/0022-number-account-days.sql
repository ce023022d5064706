-- As in 0017: a process of the earlier version that still runs is waited for once, and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.account_days in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- A row for each run of an account's entries that are booked on one day, with the number of the first of them: so the
-- balance before a day, and the entries of a range of days, are found by number. A day has several runs where processes
-- whose clocks differ enter at midnight. A process of the earlier version fails rather than post without the number.
truncate service.account_days;
alter table service.account_days
  drop constraint account_days_pkey,
  add column first_entry bigint not null,
  add constraint account_days_pkey primary key (account_id, day, first_entry);
insert into service.account_days
  select account_id, day, sequence_number from (
    select e.account_id, p.business_day as day, e.sequence_number,
      lag(p.business_day) over (partition by e.account_id order by e.sequence_number) as day_before
    from service.entries e join service.accounts a on a.id = e.account_id join service.postings p on p.id = e.posting_id
    where a.kind = 'user_quota') as numbered
  where day_before is distinct from day;
