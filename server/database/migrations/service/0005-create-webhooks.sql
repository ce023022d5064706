-- Events and the endpoints that are told of them (Standard Webhooks). Secrets are sealed, the newest first; the one
-- before it signs too until previous_secret_until.
create table service.webhook_endpoints (
  id uuid primary key,
  entity_id uuid not null references service.entities,
  name text not null,
  url text not null,
  event_types text[] not null,
  sealed_secrets bytea[] not null check (cardinality(sealed_secrets) between 1 and 2),
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'gone')),
  constraint webhook_endpoints_name_key unique (entity_id, name),
  constraint webhook_endpoints_disabled check ((disabled_at is null) = (disabled_reason is null))
);

-- What happened, as one entity is told: the text that is sent, once per entity. Ids are in recording order.
create table service.events (
  id uuid primary key,
  entity_id uuid not null,
  type text not null,
  body json not null,
  created_at timestamptz not null
);
create index events_age on service.events (created_at);

-- One per event and endpoint, written in the posting's commit; state says whether it is still to be sent. Who sends
-- it holds it until leased_until; attempts says whose outcome counts when a lease ran out.
create table service.webhook_deliveries (
  endpoint_id uuid not null references service.webhook_endpoints,
  event_id uuid not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  -- Of the present run of attempts: 72 hours later it is given up.
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status smallint,
  last_error text,
  delivered_at timestamptz,
  primary key (endpoint_id, event_id)
);
create index webhook_deliveries_waiting on service.webhook_deliveries (endpoint_id, next_attempt_at)
  where state = 'waiting';
create index webhook_deliveries_failed on service.webhook_deliveries (endpoint_id, event_id desc)
  where state = 'failed';

-- Until when it was told of payment codes that expired unpaid. One row, locked by whoever tells of the next ones.
create table service.told_expiries (
  id boolean primary key check (id),
  told_through timestamptz not null
);
-- expires_at never changes, so that paying a code touches no index.
create index qr_reservations_expiry on service.qr_reservations (expires_at);
