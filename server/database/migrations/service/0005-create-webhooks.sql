-- Events and the endpoints that are told of them (Standard Webhooks). Secrets are sealed; two during a rotation.
create table service.webhook_endpoints (
  id uuid primary key,
  entity_id uuid not null references service.entities,
  name text not null,
  url text not null,
  event_types text[] not null,
  sealed_secrets bytea[] not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text,
  constraint webhook_endpoints_name_key unique (entity_id, name)
);

create table service.events (
  id uuid primary key,
  entity_id uuid not null,
  type text not null,
  body json not null,
  created_at timestamptz not null
);
create index events_age on service.events (created_at);

-- One per event and endpoint, written in the posting's commit; state says whether it is still to be sent.
create table service.webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references service.webhook_endpoints,
  event_id uuid not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_attempt_at timestamptz,
  last_status smallint,
  last_error text,
  delivered_at timestamptz
);
create index webhook_deliveries_waiting on service.webhook_deliveries (endpoint_id, next_attempt_at)
  where state = 'waiting';
create index webhook_deliveries_of_endpoint on service.webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_of_event on service.webhook_deliveries (event_id);
