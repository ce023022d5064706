-- Passkeys (WebAuthn 3). One that came by a re-enrolment reads at once and pays from may_pay_from on.
create table broker.passkeys (
  id uuid primary key,
  person_id uuid not null references broker.people,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  may_pay_from timestamptz not null,
  removed_at timestamptz,
  constraint passkeys_credential_key unique (credential_id)
);
create index passkeys_by_person on broker.passkeys (person_id) where removed_at is null;

-- A link that makes a passkey, once: hashes only. The code, told separately, is hashed with the secret.
create table broker.enrolments (
  id uuid primary key,
  secret_hash bytea not null,
  code_hash bytea not null,
  tries_left integer not null check (tries_left between 0 and 5),
  person_id uuid not null references broker.people,
  -- Whether the device that comes of it waits before it pays.
  delayed boolean not null,
  -- The operator or person who made it; null: the command line.
  made_by uuid references broker.people,
  needs_second boolean not null,
  agreed_by uuid references broker.people,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz,
  constraint enrolments_secret_key unique (secret_hash),
  constraint enrolments_second check (agreed_by is null or agreed_by <> made_by)
);
create index enrolments_by_person on broker.enrolments (person_id);
create index enrolments_by_time on broker.enrolments (created_at);

-- A challenge that was given out: used once, by the one whom it was for, for what it was for.
create table broker.challenges (
  id uuid primary key,
  challenge bytea not null,
  purpose text not null
    check (purpose in ('sign_in', 'enrol', 'invite_device', 'remove_device', 'raise_limits')),
  person_id uuid references broker.people,
  enrolment_id uuid references broker.enrolments,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint challenges_challenge_key unique (challenge)
);
create index challenges_by_end on broker.challenges (expires_at);
create index challenges_by_enrolment on broker.challenges (enrolment_id) where enrolment_id is not null;

-- Sessions can be listed and ended; one that a passkey started ends with that passkey.
alter table broker.sign_in_sessions
  add column id uuid not null default gen_random_uuid(),
  add column passkey_id uuid references broker.passkeys,
  add column browser text,
  add constraint sign_in_sessions_id_key unique (id);
create index sign_in_sessions_by_person on broker.sign_in_sessions (person_id) where ended_at is null;
create index sign_in_sessions_by_activity on broker.sign_in_sessions (last_active_at);

alter table broker.people add column disabled_at timestamptz;

-- What the entity decided for its people; one row. Amounts in minor units, null: no limit.
create table broker.entity_rules (
  id boolean primary key default true check (id),
  new_device_hours integer not null default 24 check (new_device_hours between 0 and 720),
  two_operators_above bigint check (two_operators_above >= 0),
  payment_limit bigint check (payment_limit > 0),
  day_limit bigint check (day_limit > 0),
  first_time_limit bigint check (first_time_limit > 0)
);
insert into broker.entity_rules default values;

-- What a person decided below that.
create table broker.own_limits (
  person_id uuid primary key references broker.people,
  payment_limit bigint check (payment_limit > 0),
  day_limit bigint check (day_limit > 0),
  first_time_limit bigint check (first_time_limit > 0),
  changed_at timestamptz not null
);

-- Approvals of transfers and refunds have no code. A refund names the payment that it gives back.
alter table broker.approvals
  drop constraint approvals_operation_check,
  add constraint approvals_operation_check check (operation in ('pay', 'transfer', 'refund')),
  alter column check_code drop not null,
  alter column payload drop not null,
  add column reverses uuid,
  -- The look-up that found whom a transfer goes to; forgotten long before the approval.
  add column look_up_id uuid,
  add column passkey_id uuid references broker.passkeys,
  add constraint approvals_code check ((operation = 'pay') = (payload is not null and check_code is not null)),
  add constraint approvals_reverses check ((operation = 'refund') = (reverses is not null));
-- What nobody consumed is forgotten in time, and so are tills' and quota's sessions on which no money hung.
create index approvals_left_open on broker.approvals (expires_at) where state = 'open';
create index widget_sessions_without_code on broker.widget_sessions (shown_until) where kind <> 'pay';
create index approvals_of_day on broker.approvals (user_id, started_at) where state in ('running', 'approved');

-- Browsers that are sent a message when money arrives, as long as their session lives (RFC 8030, 8291).
create table broker.push_subscriptions (
  id uuid primary key,
  session_hash bytea not null references broker.sign_in_sessions on delete cascade,
  person_id uuid not null references broker.people,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  language text not null,
  created_at timestamptz not null,
  failures integer not null default 0,
  ended_at timestamptz,
  constraint push_subscriptions_endpoint_key unique (endpoint)
);
create index push_subscriptions_by_session on broker.push_subscriptions (session_hash);
create index push_subscriptions_by_person on broker.push_subscriptions (person_id) where ended_at is null;
