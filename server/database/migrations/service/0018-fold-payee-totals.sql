-- Every table that this version changes, as in 0017: a process of the earlier version that still runs is waited for once,
-- and never deadlocked with.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.transactions, service.payee_totals in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- Payments are added to payee_totals in bulk, outside of their commits: all those up to through_id. The later ones are
-- read from their own rows. Every payment that is there already has been added.
create table service.payee_folds (
  is_only boolean primary key default true check (is_only),
  through_id uuid not null
);
insert into service.payee_folds (through_id)
  select coalesce((select id from service.transactions order by id desc limit 1), '00000000-0000-0000-0000-000000000000');

-- Additions to payee_totals by changes of payments that were added before, until they are added, too.
create table service.payee_changes (
  from_user_id uuid not null,
  change_id uuid not null,
  to_user_id uuid not null,
  from_creator_id uuid not null,
  to_creator_id uuid not null,
  transaction_id uuid not null,
  created_at timestamptz not null,
  -- The posting of a payment that is settled.
  settled_by uuid,
  total bigint not null,
  pending smallint not null,
  approved smallint not null,
  rejected smallint not null,
  reversed smallint not null,
  primary key (from_user_id, change_id)
);
