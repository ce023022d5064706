-- Who answers for look-ups: a merchant for those of all its tills, or a person. The row is locked while one is counted.
create table broker.look_up_accounts (
  account text primary key,
  last_asked_at timestamptz not null
);

-- One look-up by phone or nit, neither of which is kept. The asker is a till or a person. What was found is reached by
-- a handle, kept as a hash, for five minutes; the columns from handle_hash to expires_at are null where nobody was
-- found. sold_at: it led to a sale.
create table broker.look_ups (
  id uuid primary key,
  asker text not null,
  account text not null references broker.look_up_accounts,
  asked_at timestamptz not null,
  handle_hash bytea,
  user_id uuid,
  masked_name text,
  expires_at timestamptz,
  sold_at timestamptz,
  constraint look_ups_handle_key unique (handle_hash),
  constraint look_ups_found check (num_nulls(handle_hash, user_id, masked_name, expires_at) in (0, 4)),
  constraint look_ups_sold check (sold_at is null or user_id is not null)
);
create index look_ups_by_asker on broker.look_ups (asker, asked_at desc);
create index look_ups_by_account on broker.look_ups (account, asked_at desc);
create index look_ups_fruitless on broker.look_ups (asker, asked_at desc) where sold_at is null;
create index look_ups_by_time on broker.look_ups (asked_at);

-- One top-up that a till sold, or tried to. Stored before the service is asked, under the lock of its session; the id is
-- the service's idempotency key. till is empty where the session names none; day is that of the business time zone.
create table broker.recharges (
  id uuid primary key,
  session_id uuid not null references broker.widget_sessions,
  merchant_id uuid not null references broker.merchants,
  till text not null,
  day date not null,
  attempt_key text not null,
  fingerprint bytea not null,
  look_up_id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  masked_name text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('running', 'approved', 'rejected', 'failed')),
  created_at timestamptz not null,
  finished_at timestamptz,
  transaction_id uuid,
  transaction_reference text,
  reason text,
  constraint recharges_attempt_key unique (merchant_id, till, attempt_key),
  constraint recharges_finished check ((state = 'running') = (finished_at is null)),
  constraint recharges_transaction check (state not in ('approved', 'rejected') or transaction_id is not null)
);
create index recharges_of_session on broker.recharges (session_id);
create index recharges_of_merchant on broker.recharges (merchant_id, day, id desc);
create index recharges_of_till on broker.recharges (merchant_id, day, till, id desc);
create index recharges_sold on broker.recharges (merchant_id, day, till) include (amount) where state = 'approved';
create index recharges_running on broker.recharges (created_at, id) where state = 'running';
