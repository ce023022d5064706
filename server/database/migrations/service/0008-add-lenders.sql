-- Every table that this version changes. A process of the earlier version that still runs is waited for once, and never
-- deadlocked with: most postings come to accounts first, but a settlement to its transaction, and so accounts are let go
-- again for whoever has any of the others.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.told_expiries, service.api_clients, service.accounts in access exclusive mode;
      lock table service.entities, service.postings, service.transactions, service.transaction_changes,
        service.transfers, service.credit_accruals, service.month_closes, service.idempotency_records
        in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- Which other entities may assign quota to an entity's users: null is all of them. Entities that are there already go on
-- as they are: all others may, unless the entity lets none lend. A new entity begins without any.
alter table service.entities add column lenders uuid[];
update service.entities set lenders = '{}' where foreign_lenders = 'none';
alter table service.entities alter column lenders set default '{}';

-- `lenders` names the entities that may lend; this says how much of the debt to them they may collect. A process of an
-- earlier version does not know the name: it fails rather than post without limits on what entities owe one another.
alter table service.entities rename column foreign_lenders to foreign_debts;
