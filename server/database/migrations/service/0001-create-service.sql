create schema service;

-- Keys that sign access tokens and payment QRs. The private half is sealed (AES-256-GCM) with CUPO_KEY.
create table service.signing_keys (
  kid text primary key,
  purpose text not null check (purpose in ('token', 'qr')),
  public_key bytea not null,
  sealed_private_key bytea not null,
  not_before timestamptz not null,
  not_after timestamptz,
  revoked_at timestamptz
);
-- One key of each purpose has no end; the others were rotated out or revoked.
create unique index signing_keys_without_end on service.signing_keys (purpose) where not_after is null;

-- Financial entities (fintechs) and the API clients that act for them.
create table service.entities (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create table service.api_clients (
  id text primary key,
  entity_id uuid not null references service.entities,
  name text not null,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table service.api_client_secrets (
  client_id text not null references service.api_clients,
  secret_hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (client_id, secret_hash)
);

-- People and businesses of the ecosystem. The creator is the entity that may debit them.
create table service.users (
  id uuid primary key,
  creator_id uuid not null references service.entities,
  name text not null,
  business_name text,
  nit text not null,
  phone text not null,
  email text,
  address text,
  image text,
  score smallint,
  status text not null check (status in ('active', 'arrear', 'default')),
  payment_data json not null,
  apn_token_hash bytea not null,
  created_at timestamptz not null,
  constraint users_nit_key unique (nit),
  constraint users_phone_key unique (phone)
);

-- One row per account: a user's quota account has the user's own id, an entity's account an id derived from what it is.
-- posted and entry amounts are signed minor units: credit is positive, debit negative. held <= posted for users.
create table service.accounts (
  id uuid primary key,
  kind text not null check (kind in ('user_quota', 'credits_receivable', 'cash_clearing', 'due_to', 'due_from')),
  entity_id uuid not null references service.entities,
  counterparty_id uuid references service.entities,
  day date,
  slot smallint,
  posted bigint not null default 0,
  held bigint not null default 0,
  entry_count bigint not null default 0,
  constraint accounts_available check (kind <> 'user_quota' or (held >= 0 and posted >= held))
);

-- One double-entry posting: its entries sum to zero, and so do those of each entity in it.
create table service.postings (
  id uuid primary key,
  kind text not null check (kind in ('transaction', 'credit', 'deposit')),
  reference text not null,
  business_day date not null,
  created_at timestamptz not null
);

create table service.entries (
  account_id uuid not null,
  sequence_number bigint not null,
  posting_id uuid not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  primary key (account_id, sequence_number)
);

-- Payment records. A rejected one is kept too, and has no posting. Names are those of the moment.
create table service.transactions (
  id uuid primary key,
  reference text not null,
  kind text not null check (kind in ('payment', 'batch', 'recharge', 'qr', 'refund')),
  status text not null check (status in ('pending', 'approved', 'rejected', 'reversed')),
  reason text,
  amount bigint not null check (amount > 0),
  date timestamptz not null,
  details json not null,
  qr_details json,
  from_user_id uuid not null,
  from_user text not null,
  from_business_name text,
  from_creator_id uuid not null,
  to_user_id uuid not null,
  to_user text not null,
  to_business_name text,
  to_creator_id uuid not null,
  from_balance_after bigint,
  to_balance_after bigint,
  made_by uuid not null,
  posting_id uuid,
  created_at timestamptz not null,
  constraint transactions_reference_key unique (reference)
);
create index transactions_received on service.transactions (to_user_id, id desc);
create index transactions_sent on service.transactions (from_user_id, id desc);

-- What a transaction's status was, in order; the present one is the column above.
create table service.transaction_statuses (
  transaction_id uuid not null,
  sequence_number smallint not null,
  status text not null,
  reason text,
  created_at timestamptz not null,
  primary key (transaction_id, sequence_number)
);

-- A dynamic QR reserves its reference; transaction_id is the approved or pending payment that took it.
create table service.qr_reservations (
  reference text primary key,
  payload text not null,
  check_code text not null,
  to_user_id uuid not null references service.users,
  to_user text not null,
  from_user_id uuid references service.users,
  amount bigint not null check (amount > 0),
  details json not null,
  made_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  cancelled_at timestamptz,
  transaction_id uuid
);

-- One quota assignment that is owed back.
create table service.credits (
  id uuid primary key,
  entity_id uuid not null references service.entities,
  user_id uuid not null references service.users,
  loan_type text not null,
  principal bigint not null check (principal > 0),
  outstanding bigint not null check (outstanding between 0 and principal),
  annual_rate_bps integer not null,
  day_basis integer not null,
  due_date date,
  opened_on date not null,
  posting_id uuid not null,
  created_at timestamptz not null
);
create index credits_of_user on service.credits (user_id, entity_id);

-- What a request with an idempotency key was answered, written in the same database transaction as the money.
create table service.idempotency_records (
  client_id text not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (client_id, operation, key)
);
create index idempotency_records_age on service.idempotency_records (created_at);

create function service.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

create trigger entries_append_only before update or delete or truncate on service.entries
  for each statement execute function service.refuse_change();
create trigger postings_append_only before update or delete or truncate on service.postings
  for each statement execute function service.refuse_change();
create trigger transaction_statuses_append_only before update or delete or truncate on service.transaction_statuses
  for each statement execute function service.refuse_change();
