-- As in 0017: a process of the earlier version that still runs is waited for once, and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.transactions, service.transaction_statuses in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- The first status of a payment follows from its own row: only those that it takes on later are written. The first ones
-- of before stay.
alter table service.transaction_statuses rename to transaction_status_changes;
alter table service.transaction_status_changes
  rename constraint transaction_statuses_pkey to transaction_status_changes_pkey;
alter trigger transaction_statuses_append_only on service.transaction_status_changes
  rename to transaction_status_changes_append_only;

create view service.transaction_statuses as
  select id as transaction_id, 1::smallint as sequence_number,
    case when held_amount is not null then 'pending' when posting_id is not null then 'approved' else 'rejected' end
      as status,
    case when held_amount is null and posting_id is null then reason end as reason, created_at
  from service.transactions
  union all
  select transaction_id, sequence_number, status, reason, created_at
  from service.transaction_status_changes where sequence_number > 1;
