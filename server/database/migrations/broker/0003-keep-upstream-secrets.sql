-- What the service signs its webhooks to the broker with, sealed. Each process that registers the webhook has a new
-- one made; the latest few are good, so that all of them verify what any of them registered.
create table broker.upstream_secrets (
  id uuid primary key,
  sealed_secret bytea not null,
  created_at timestamptz not null
);
