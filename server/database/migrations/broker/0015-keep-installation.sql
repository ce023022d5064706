-- Limits, approvals and sales are in minor units of this currency, and days are those of this time zone: both are set
-- once, by the first process that starts, and never change. A process that is configured otherwise does not start.
create table broker.installation (
  is_only boolean primary key default true check (is_only),
  currency text not null,
  digits smallint not null,
  time_zone text not null,
  recorded_at timestamptz not null default now()
);
create trigger installation_append_only before update or delete or truncate on broker.installation
  for each statement execute function broker.refuse_change();
