-- As in 0017: a process of the earlier version that still runs is waited for once, and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.idempotency_records in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- An answer that only says what was recorded is worded again from the payment, as it was recorded.
alter table service.idempotency_records
  alter column answer drop not null,
  add column transaction_id uuid,
  add constraint idempotency_records_answer check ((answer is null) = (transaction_id is not null)) not valid;
