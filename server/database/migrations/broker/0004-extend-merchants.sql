-- Merchants as a product: disabled for good, first-party, sellers of top-ups, told of payments by a webhook.
alter table broker.merchants
  add column first_party boolean not null default false,
  add column sells_top_ups boolean not null default false,
  add column webhook_url text,
  add column disabled_at timestamptz;

-- What a merchant's webhooks are signed with, sealed; at most two live, and messages carry a signature of each.
-- id: the first eight hexadecimal characters of the secret's SHA-256, which tell a merchant's own apart.
create table broker.merchant_webhook_secrets (
  merchant_id uuid not null references broker.merchants,
  id text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (merchant_id, id)
);
create index merchant_keys_by_merchant on broker.merchant_keys (merchant_id);

-- Operators may look, work or decide. Those of before are of the demo, which shows everything.
alter table broker.people add column operator_role text check (operator_role in ('viewer', 'clerk', 'admin'));
update broker.people set operator_role = 'admin' where role = 'operator';
alter table broker.people
  add constraint people_role_of_operator check ((role = 'operator') = (operator_role is not null));

-- What an operator was answered for an idempotency key, without any secret, for copies of the same request.
create table broker.operator_answers (
  person_id uuid not null references broker.people,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamptz not null,
  primary key (person_id, operation, key)
);

-- A person lets a merchant show the person's quota, and may take that back. code_hash: of the latest code, which the
-- person's browser brings to the merchant; gone as soon as the merchant's backend has used it.
create table broker.grants (
  id uuid primary key,
  user_id uuid not null,
  merchant_id uuid not null references broker.merchants,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  code_hash bytea unique,
  code_expires_at timestamptz,
  constraint grants_code check ((code_hash is null) = (code_expires_at is null))
);
create unique index grants_live on broker.grants (user_id, merchant_id) where revoked_at is null;

-- Sessions of every kind. One of kind pay shows a code; of kind recharge sells top-ups within limits, at a till;
-- of kind quota shows one user's quota, which a grant may have allowed. ended_at: its merchant ended it early.
alter table broker.widget_sessions
  alter column reference drop not null,
  add column max_amount bigint check (max_amount > 0),
  add column max_total bigint check (max_total > 0),
  add column till text,
  add column subject_user_id uuid,
  add column grant_id uuid references broker.grants,
  add column ended_at timestamptz,
  add constraint widget_sessions_of_pay check ((kind = 'pay') = (reference is not null)),
  add constraint widget_sessions_of_recharge
    check (kind = 'recharge' or (max_amount is null and max_total is null and till is null)),
  add constraint widget_sessions_of_quota
    check ((kind = 'quota') = (subject_user_id is not null) and (kind = 'quota' or grant_id is null));
