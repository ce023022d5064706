-- What merchants are told of payments: the outbox of their webhooks. The row is the proof that it was told, so that it
-- stays once it was delivered; only its body is forgotten. refunded_amount: in minor units, of refunds alone; each new
-- sum is told once, anything else once for a session. Who sends it holds it until leased_until; attempts says whose
-- outcome counts when a lease ran out.
create table broker.merchant_events (
  id uuid primary key,
  merchant_id uuid not null references broker.merchants,
  session_id uuid not null references broker.widget_sessions,
  type text not null check (type in ('payment.paid', 'payment.refunded', 'payment.expired')),
  refunded_amount bigint not null,
  -- The text that is sent.
  body text,
  created_at timestamptz not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status smallint,
  last_error text,
  delivered_at timestamptz,
  constraint merchant_events_once unique (session_id, type, refunded_amount),
  constraint merchant_events_refunded check ((type = 'payment.refunded') = (refunded_amount > 0)),
  constraint merchant_events_body check (body is not null or state <> 'waiting')
);
create index merchant_events_waiting on broker.merchant_events (merchant_id, next_attempt_at) where state = 'waiting';
create index merchant_events_troubled on broker.merchant_events (merchant_id, last_attempt_at desc)
  where state <> 'delivered';
create index merchant_events_age on broker.merchant_events (created_at) where body is not null;

-- How far the broker has looked at each merchant's payments by itself, for what no webhook of the service told it:
-- sync_token and cursor are the service's. since: nothing that was paid or expired before is told.
create table broker.merchant_watches (
  merchant_id uuid primary key references broker.merchants,
  since timestamptz not null,
  sync_token text,
  cursor text,
  expiries_through timestamptz not null,
  looked_at timestamptz
);

-- Sessions whose code had lapsed without being expired: a hold had taken it, or nobody could say.
create table broker.merchant_second_looks (
  session_id uuid primary key references broker.widget_sessions,
  look_at timestamptz not null
);
create index merchant_second_looks_due on broker.merchant_second_looks (look_at);

create index widget_sessions_by_reference on broker.widget_sessions (reference) where reference is not null;
create index widget_sessions_expiry on broker.widget_sessions (merchant_id, expires_at) where kind = 'pay';
