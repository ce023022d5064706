-- The limits of the exposure of one entity to another. A pair without a limit of its own has the installation's, and at
-- least least_limit, which the upgrade set. The row is locked by the writer that divides the limit anew, never by a
-- posting that keeps within its writer's slice.
create table service.counterparty_limits (
  creditor_id uuid not null references service.entities,
  debtor_id uuid not null references service.entities,
  limit_amount numeric check (limit_amount >= 0),
  least_limit numeric not null default 0 check (least_limit >= 0),
  -- True once the creditor was told that 80 % of the limit are used.
  is_near boolean not null default false,
  primary key (creditor_id, debtor_id),
  check (creditor_id <> debtor_id)
);

-- The writers' slices: used is what a slot's postings and holds made the debtor owe, held is the part that is held,
-- and granted is how far used may go. All of a pair's used is its exposure; it is the due-from less the due-to of the
-- creditor, and what the debtor's users hold for the creditor's.
create table service.counterparty_slices (
  creditor_id uuid not null,
  debtor_id uuid not null,
  slot smallint not null,
  used numeric not null default 0,
  held numeric not null default 0,
  granted numeric not null default 0,
  primary key (creditor_id, debtor_id, slot),
  foreign key (creditor_id, debtor_id) references service.counterparty_limits
);

with posted as (
  select entity_id as creditor_id, counterparty_id as debtor_id, -sum(posted) as amount
  from service.accounts where kind in ('due_to', 'due_from') group by 1, 2),
held as (
  select to_creator_id as creditor_id, from_creator_id as debtor_id, sum(amount) as amount
  from service.transactions where status = 'pending' and from_creator_id <> to_creator_id group by 1, 2),
pairs as (
  select creditor_id, debtor_id from posted union select debtor_id, creditor_id from posted
  union select creditor_id, debtor_id from held union select debtor_id, creditor_id from held),
exposures as (
  select creditor_id, debtor_id, coalesce(p.amount, 0) + coalesce(h.amount, 0) as used, coalesce(h.amount, 0) as held
  from pairs left join posted p using (creditor_id, debtor_id) left join held h using (creditor_id, debtor_id)),
limits as (
  insert into service.counterparty_limits (creditor_id, debtor_id, least_limit)
  select creditor_id, debtor_id, greatest(2 * used, 0) from exposures)
insert into service.counterparty_slices (creditor_id, debtor_id, slot, used, held, granted)
  select creditor_id, debtor_id, 0, used, held, used from exposures;

-- Validated at once: an upgrade reads the postings anyway.
alter table service.postings
  drop constraint postings_kind_check,
  add constraint postings_kind_check check (kind in ('transaction', 'transfer', 'credit', 'deposit', 'accrual',
    'discharge', 'repayment', 'write_off', 'cancellation', 'import', 'settlement')) not valid;
