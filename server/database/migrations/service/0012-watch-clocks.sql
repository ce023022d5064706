-- Observations that processes made of their machine's clock: `seen` is the position of a machine's wall clock and its
-- uptime at the first look, `strayed` a wall clock that jumped or went back behind the newest posting, and `confirmed`
-- a person's word that the time is right again. Nothing is accrued or closed between a `strayed` and its `confirmed`.
create table service.clock_marks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('seen', 'strayed', 'confirmed')),
  machine text not null,
  -- The process's clock, and the database's.
  at timestamptz not null,
  database_at timestamptz not null default clock_timestamp(),
  -- Milliseconds since the machine was started.
  up_ms bigint not null,
  newest_posting_id uuid,
  note text not null
);
create index clock_marks_of_machine on service.clock_marks (machine, id) where kind = 'seen';
-- Every commit looks at the latest of these.
create index clock_marks_decisive on service.clock_marks (id) where kind <> 'seen';
create trigger clock_marks_append_only before update or delete or truncate on service.clock_marks
  for each statement execute function service.refuse_change();

-- At its start a process reads the newest ids, so as to go on above them with whatever clock.
create index transaction_changes_newest on service.transaction_changes (change_id);

-- A month that was closed before it was over is opened again. What it was closed with stays: the next closing is another
-- version of it.
alter table service.month_closes
  add column version integer not null default 1,
  drop constraint month_closes_pkey,
  add primary key (entity_id, month, version);
create table service.month_reopenings (
  entity_id uuid not null references service.entities,
  month date not null,
  version integer not null,
  reopened_at timestamptz not null,
  -- An API client's id, or `command line`.
  made_by text not null,
  primary key (entity_id, month, version)
);
create trigger month_reopenings_append_only before update or delete or truncate on service.month_reopenings
  for each statement execute function service.refuse_change();
create view service.closed_months as
  select c.* from service.month_closes c
  where not exists (select from service.month_reopenings r
    where r.entity_id = c.entity_id and r.month = c.month and r.version = c.version);

-- Interest of a day that is taken back is a row of its own, below zero; the day may be accrued anew. The lock on the
-- user's account and accrued_through see to it that no day is accrued twice.
alter table service.credit_accruals
  drop constraint credit_accruals_pkey,
  add primary key (credit_id, day, posting_id);
alter table service.postings
  drop constraint postings_kind_check,
  add constraint postings_kind_check check (kind in ('transaction', 'transfer', 'credit', 'deposit', 'accrual',
    'accrual_reversal', 'discharge', 'repayment', 'write_off', 'cancellation', 'import', 'settlement')) not valid;
