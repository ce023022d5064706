-- The one address of the entity's backend that is told the codes of enrolments. Another address is another row, so that
-- no code that was meant for the one before is ever sent to it. sealed_secret signs the messages.
create table broker.code_endpoints (
  id uuid primary key,
  url text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index code_endpoints_live on broker.code_endpoints ((true)) where ended_at is null;

-- The code of an enrolment that an operator made over HTTP: told once, to that endpoint or, where endpoint_id is null,
-- to a second operator. sealed_code is forgotten once it was told or is worth nothing any more. Of an enrolment without
-- a row here, whoever made it was told link and code: the command line, or a person for another own device.
create table broker.enrolment_codes (
  enrolment_id uuid primary key references broker.enrolments on delete cascade,
  endpoint_id uuid references broker.code_endpoints,
  sealed_code bytea,
  told_to uuid references broker.people,
  told_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  first_attempt_at timestamptz,
  last_error text,
  constraint enrolment_codes_told check (told_at is null or sealed_code is null)
);
create index enrolment_codes_untold on broker.enrolment_codes (endpoint_id) where sealed_code is not null;

-- Links and wrong codes are counted for a day, by person and by operator.
create index enrolments_by_maker on broker.enrolments (made_by, created_at);

-- When a person's first device was enrolled: for new_device_hours from then on, new_device_limit holds.
alter table broker.people add column first_device_at timestamptz;
-- Minor units; null: the default of the installation.
alter table broker.entity_rules add column new_device_limit bigint check (new_device_limit > 0);

-- Of links that are open now, an operator was told link and code together.
update broker.enrolments e set withdrawn_at = now()
from broker.people p
where p.id = e.made_by and p.role = 'operator' and e.used_at is null and e.withdrawn_at is null and e.expires_at > now();
