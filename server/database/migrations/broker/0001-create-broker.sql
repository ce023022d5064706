create schema broker;

-- Who can sign in. A person is a user of the service; an operator belongs to the entity and is none.
-- demo_name marks the people that the demo lets in without a passkey.
create table broker.people (
  id uuid primary key,
  user_id uuid,
  role text not null check (role in ('person', 'operator')),
  demo_name text,
  demo_role text check (demo_role in ('payer', 'merchant', 'operator')),
  display_name text not null,
  sign_in_key_hash bytea,
  created_at timestamptz not null,
  constraint people_user_key unique (user_id),
  constraint people_demo_name_key unique (demo_name),
  constraint people_user_of_person check ((role = 'person') = (user_id is not null))
);

-- The cookie's token is kept as a hash: whoever reads this table cannot sign in with it.
create table broker.sign_in_sessions (
  token_hash bytea primary key,
  person_id uuid not null references broker.people,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  ended_at timestamptz
);

create table broker.merchants (
  id uuid primary key,
  user_id uuid not null,
  name text not null,
  -- Most that a page may ask for with the publishable key alone, in minor units; null: nothing.
  open_amount_limit bigint check (open_amount_limit > 0),
  created_at timestamptz not null
);

create table broker.merchant_origins (
  merchant_id uuid not null references broker.merchants,
  origin text not null,
  primary key (merchant_id, origin)
);
create index merchant_origins_by_origin on broker.merchant_origins (origin);

create table broker.merchant_keys (
  key_hash bytea primary key,
  merchant_id uuid not null references broker.merchants,
  kind text not null check (kind in ('server', 'publishable')),
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- A widget session shows one QR. Its token is derived from the nonce with the broker's key, and kept as a hash only.
-- An order may need another session once its QR has lapsed: generation counts them.
create table broker.widget_sessions (
  id uuid primary key,
  token_hash bytea not null,
  nonce bytea not null,
  merchant_id uuid not null references broker.merchants,
  kind text not null check (kind in ('pay', 'recharge', 'quota')),
  origin text not null,
  order_id text,
  -- The order, or the idempotency key of a session without one: what makes asking again give the same session.
  attempt_key text,
  generation integer not null,
  fingerprint bytea not null,
  reference text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint widget_sessions_token_key unique (token_hash),
  constraint widget_sessions_attempt_key unique (merchant_id, attempt_key, generation)
);

-- One payment that a person looked at. It leaves 'open' by one conditional update, before the service is asked.
create table broker.approvals (
  id uuid primary key,
  random bytea not null check (length(random) = 32),
  user_id uuid not null,
  operation text not null check (operation in ('pay')),
  payer_id uuid not null,
  payee_id uuid not null,
  payee text not null,
  first_time_payee boolean not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  reference text,
  check_code text not null,
  payload text not null,
  note text,
  method text not null check (method in ('passkey', 'button')),
  attempt_key text,
  attempt_fingerprint bytea,
  state text not null check (state in ('open', 'running', 'approved', 'rejected', 'failed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  transaction_id uuid,
  transaction_reference text,
  reason text,
  constraint approvals_attempt_key unique (user_id, attempt_key),
  constraint approvals_started check ((state = 'open') = (started_at is null)),
  constraint approvals_finished check ((state in ('approved', 'rejected', 'failed')) = (finished_at is not null)),
  constraint approvals_transaction check (state not in ('approved', 'rejected') or transaction_id is not null)
);
create index approvals_paid_before on broker.approvals (user_id, payee_id) where state = 'approved';
create index approvals_rejected on broker.approvals (reference) where state = 'rejected';

-- Every decision on money or access, once: who, what, when, which request, what came of it.
create table broker.audit_records (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null,
  request_id text not null,
  principal_kind text not null,
  principal_id text not null,
  action text not null,
  subject text,
  outcome text not null,
  facts json not null
);

create function broker.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'records of % are never changed', tg_table_name;
end
$$;

create trigger audit_records_append_only before update or delete or truncate on broker.audit_records
  for each statement execute function broker.refuse_change();
