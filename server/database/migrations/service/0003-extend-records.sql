-- Every table that is changed, in the order in which a posting comes to them: a process of the earlier version that
-- still runs is waited for once, and never deadlocked with.
lock table service.accounts, service.entities, service.users, service.postings, service.entries, service.transactions,
  service.credits in access exclusive mode;

-- What an entity decided for itself, how far its books are closed, and whether anybody is told of its events.
alter table service.entities
  add column closed_through date,
  add column blocking_statuses text[] not null default '{}',
  add column payment_limit bigint check (payment_limit > 0),
  add column daily_limit bigint check (daily_limit > 0),
  add column foreign_lenders text not null default 'principal' check (foreign_lenders in ('none', 'principal', 'owed')),
  add column sends_events boolean not null default false;

-- changed_id is drawn at every change (UUIDv7), so that lists can be asked for what changed since.
alter table service.users
  add column blocked_at timestamptz,
  add column imported_history json not null default '[]',
  add column changed_id uuid;
update service.users set changed_id = id;
alter table service.users alter column changed_id set not null;
create index users_of_creator on service.users (creator_id, id desc);
create index users_changed on service.users (creator_id, changed_id);

-- active_on is the booking day of the latest entry; spent is what was sent in payments on spent_on, holds included.
-- Checks that existing rows satisfy are not read again: not valid, as in 0002.
alter table service.accounts
  add column active_on date,
  add column spent_on date,
  add column spent bigint not null default 0,
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check check (kind in ('user_quota', 'credits_receivable', 'interest_receivable',
    'cash_clearing', 'losses', 'recoveries', 'interest_income', 'due_to', 'due_from')) not valid;
create index accounts_of_entity on service.accounts (entity_id, kind, id) where kind <> 'user_quota';

alter table service.postings
  drop constraint postings_kind_check,
  add constraint postings_kind_check check (kind in ('transaction', 'transfer', 'credit', 'deposit', 'accrual',
    'discharge', 'repayment', 'write_off', 'cancellation', 'import')) not valid;
-- The writer's slot. A process of an earlier version does not know it: it fails rather than post without roll-ups.
alter table service.postings
  add column slot smallint,
  add constraint postings_slot check (slot is not null) not valid;

-- Entries of the entities' own accounts by kind, for the books; those of users' accounts are found by the account.
create table service.entity_entries (
  entity_id uuid not null,
  kind text not null,
  posting_id uuid not null,
  account_id uuid not null,
  sequence_number bigint not null,
  primary key (entity_id, kind, posting_id, account_id, sequence_number)
);
insert into service.entity_entries
  select a.entity_id, a.kind, e.posting_id, e.account_id, e.sequence_number
  from service.entries e join service.accounts a on a.id = e.account_id where a.kind <> 'user_quota';

-- A hold keeps its money until it is settled or lapses; amount is what it settles for, held_amount what it held.
-- reversed_amount is what refunds gave back; a refund names the payment that it reverses.
alter table service.transactions
  add column held_amount bigint,
  add column hold_expires_at timestamptz,
  add column reversed_amount bigint not null default 0 check (reversed_amount between 0 and amount),
  add column reverses uuid,
  add column status_count smallint not null default 1;
create index transactions_held on service.transactions (hold_expires_at) where status = 'pending';
create index transactions_reversing on service.transactions (reverses) where reverses is not null;

-- Changes of transactions after they were recorded, for each party: with the ids, what changed since a moment.
create table service.transaction_changes (
  user_id uuid not null,
  change_id uuid not null,
  transaction_id uuid not null,
  primary key (user_id, change_id, transaction_id)
);

-- Terms of an entity's loan types; `default` and `deposit` need no row. Days: past due, for the suggested status.
create table service.loan_types (
  entity_id uuid not null references service.entities,
  loan_type text not null,
  annual_rate_bps integer not null check (annual_rate_bps between 0 and 100000),
  day_basis smallint not null check (day_basis in (360, 365)),
  after_due text not null check (after_due in ('stop', 'continue')),
  arrear_after smallint not null check (arrear_after >= 0),
  default_after smallint not null check (default_after >= arrear_after),
  changed_at timestamptz not null,
  primary key (entity_id, loan_type)
);

-- A credit's terms are those of its loan type when it was opened. outstanding is principal, unpaid_interest is accrued
-- and neither paid nor given up. accrual_numerator is N of the formula, accrued is A, both through accrued_through.
alter table service.credits
  add column state text not null default 'open' check (state in ('open', 'closed', 'written_off', 'cancelled')),
  add column reference text,
  add column is_imported boolean not null default false,
  add column after_due text not null default 'continue' check (after_due in ('stop', 'continue')),
  add column arrear_after smallint not null default 0,
  add column default_after smallint not null default 90,
  add column accrued_through date,
  add column accrual_numerator numeric not null default 0,
  add column accrued bigint not null default 0,
  add column unpaid_interest bigint not null default 0 check (unpaid_interest >= 0),
  add column paid_interest bigint not null default 0,
  add column written_off_principal bigint not null default 0,
  add column written_off_interest bigint not null default 0,
  add column recovered bigint not null default 0,
  add column movement_count integer not null default 0,
  add column closed_on date,
  add column changed_id uuid;
update service.credits c set accrued_through = opened_on, changed_id = id, movement_count = 1,
  reference = (select p.reference from service.postings p where p.id = c.posting_id);
alter table service.credits
  alter column reference set not null,
  alter column accrued_through set not null,
  alter column changed_id set not null;
create index credits_of_entity on service.credits (entity_id, id desc);
create index credits_changed on service.credits (entity_id, changed_id);
-- Only what days that pass bring interest: the daily run looks here every few minutes, and mostly finds nothing due.
create index credits_to_accrue on service.credits (accrued_through, entity_id, id)
  where state = 'open' and outstanding > 0 and annual_rate_bps > 0
    and (after_due = 'continue' or due_date is null or accrued_through < due_date);

-- Interest of a credit for a day; a day without any has no row.
create table service.credit_accruals (
  credit_id uuid not null,
  day date not null,
  amount bigint not null check (amount <> 0),
  posting_id uuid not null,
  primary key (credit_id, day)
);

-- What happened to a credit, by the day on which it was booked. Amounts are never negative: the kind says whether
-- they add to the debt (granted, imported) or take from it.
create table service.credit_movements (
  credit_id uuid not null,
  sequence_number integer not null,
  kind text not null check (kind in ('granted', 'imported', 'repaid', 'written_off', 'cancelled', 'recovered')),
  day date not null,
  principal bigint not null check (principal >= 0),
  interest bigint not null check (interest >= 0),
  posting_id uuid not null,
  created_at timestamptz not null,
  primary key (credit_id, sequence_number)
);
insert into service.credit_movements
  select c.id, 1, 'granted', p.business_day, c.principal, 0, c.posting_id, c.created_at
  from service.credits c join service.postings p on p.id = c.posting_id;

create trigger credit_accruals_append_only before update or delete or truncate on service.credit_accruals
  for each statement execute function service.refuse_change();
create trigger credit_movements_append_only before update or delete or truncate on service.credit_movements
  for each statement execute function service.refuse_change();
