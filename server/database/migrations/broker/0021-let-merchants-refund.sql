-- The third power: a merchant's server key may give back payments of the merchant's own sessions. refund_limit: the most
-- that the merchant gives back in one business day, in minor units; null: as much as it was paid.
alter table broker.merchants
  add column refunds boolean not null default false,
  add column refund_limit bigint check (refund_limit > 0);
alter table broker.merchant_keys
  add column refunds boolean not null default false,
  drop constraint merchant_keys_powers,
  add constraint merchant_keys_powers check (kind = 'server' or not (first_party or sells_top_ups or refunds));
alter table broker.merchant_changes add column refunds boolean not null default false;
drop index broker.merchant_changes_open;
create unique index merchant_changes_open on broker.merchant_changes (merchant_id)
  where ended_at is null and (first_party or sells_top_ups or refunds);

-- One refund that a merchant's backend asked for. Stored before the service is asked; the id is the service's idempotency
-- key. A refund whose limit was passed is stored as failed, so that a copy of the request is refused like the first.
-- key_hash: the server key that asked, without whose power it is not sent. day: of the business time zone. from_user_id:
-- the merchant's user, who was paid. note: the merchant's words for the payer; reason: why the refund failed.
create table broker.refunds (
  id uuid primary key,
  merchant_id uuid not null references broker.merchants,
  session_id uuid not null references broker.widget_sessions,
  key_hash bytea not null references broker.merchant_keys,
  payment_id uuid not null,
  day date not null,
  attempt_key text not null,
  fingerprint bytea not null,
  from_user_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  note text,
  state text not null check (state in ('running', 'approved', 'failed')),
  created_at timestamptz not null,
  finished_at timestamptz,
  transaction_id uuid,
  transaction_reference text,
  reason text,
  exceeded_limit text,
  constraint refunds_attempt_key unique (merchant_id, attempt_key),
  constraint refunds_finished check ((state = 'running') = (finished_at is null)),
  constraint refunds_transaction check ((state = 'approved') = (transaction_id is not null))
);
create index refunds_of_payment on broker.refunds (merchant_id, payment_id, id desc);
create index refunds_of_day on broker.refunds (merchant_id, day) include (amount) where state in ('running', 'approved');
create index refunds_running on broker.refunds (created_at, id) where state = 'running';
