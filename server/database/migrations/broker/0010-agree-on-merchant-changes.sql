-- Sales by tills in the name of a user count for the limits of that user.
create index recharges_of_payer on broker.recharges (from_user_id, created_at) where state in ('running', 'approved');

-- A server key that one admin made over HTTP for a merchant that is first-party or sells top-ups does neither until a
-- second admin has agreed to it.
alter table broker.merchant_keys add column restricted boolean not null default false;

-- Changes that an admin asked over HTTP for a merchant, and that another has to agree to: that it may show any user's
-- quota or sell top-ups, or that a restricted key may. Where it is to sell in the name of a user who has a passkey,
-- that user has to agree too; random goes into the challenge that the passkey signs.
create table broker.merchant_changes (
  id uuid primary key,
  merchant_id uuid not null references broker.merchants,
  first_party boolean not null,
  sells_top_ups boolean not null,
  key_hash bytea references broker.merchant_keys,
  random bytea not null check (length(random) = 32),
  made_by uuid not null references broker.people,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  agreed_by uuid references broker.people,
  agreed_at timestamptz,
  user_agreed_at timestamptz,
  passkey_id uuid references broker.passkeys,
  ended_at timestamptz,
  outcome text check (outcome in ('done', 'withdrawn', 'refused', 'replaced')),
  constraint merchant_changes_second check (agreed_by is null or agreed_by <> made_by),
  constraint merchant_changes_asks check ((first_party or sells_top_ups) <> (key_hash is not null)),
  constraint merchant_changes_ended check ((ended_at is null) = (outcome is null))
);
create unique index merchant_changes_open on broker.merchant_changes (merchant_id)
  where ended_at is null and key_hash is null;
create index merchant_changes_by_time on broker.merchant_changes (expires_at) where ended_at is null;
