-- A freeze of a user of the service: while it is not lifted, nobody signs in, pays or reads in that user's name. The user
-- need not have signed in here before. block is the user's block at the service, which follows: due, making (it may have
-- arrived), made by the freeze, found (the entity had blocked the user before), ending, ended.
create table broker.freezes (
  id uuid primary key,
  user_id uuid not null,
  begun_at timestamptz not null,
  begun_by text not null check (begun_by in ('person', 'operator', 'command line')),
  lifted_at timestamptz,
  block text not null default 'due' check (block in ('due', 'making', 'made', 'found', 'ending', 'ended')),
  constraint freezes_lifted check ((lifted_at is null) = (block not in ('ending', 'ended')))
);
create unique index freezes_live on broker.freezes (user_id) where lifted_at is null;
create index freezes_unfinished on broker.freezes (begun_at) where block in ('due', 'making', 'ending');

-- Other devices may take a device away within its first day where one operator decided its enrolment; devices that are
-- enrolled already stay as they were.
alter table broker.passkeys add column refusable boolean not null default true;

-- An enrolment that two operators decided may take all earlier devices away.
alter table broker.enrolments
  add column retires_devices boolean not null default false,
  add constraint enrolments_retire check (not retires_devices or needs_second);
