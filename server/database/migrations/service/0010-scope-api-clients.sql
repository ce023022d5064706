-- The widest OAuth scopes of an API client's tokens. Existing clients keep all that they could do.
alter table service.api_clients add column scopes text[] not null
  default array['read', 'pay', 'users', 'quota', 'administration']
  check (cardinality(scopes) > 0 and scopes <@ array['read', 'pay', 'users', 'quota', 'administration']);
-- A new client is given its scopes.
alter table service.api_clients alter column scopes drop default;

-- An idempotency key stands for one request of an entity, whichever of its clients sends it. Where two clients have
-- used the same key, each goes on to be given its own answer, and every other client the one that came first.
alter table service.idempotency_records
  add column entity_id uuid references service.entities,
  -- The client that alone is given the answer; empty for all clients of the entity.
  add column only_for text not null default '';
update service.idempotency_records record set entity_id = client.entity_id
  from service.api_clients client where client.id = record.client_id;
update service.idempotency_records record set only_for = client_id where exists (
  select from service.idempotency_records earlier
  where (earlier.entity_id, earlier.operation, earlier.key) = (record.entity_id, record.operation, record.key)
    and (earlier.created_at, earlier.client_id) < (record.created_at, record.client_id));
alter table service.idempotency_records
  alter column entity_id set not null,
  drop constraint idempotency_records_pkey,
  add primary key (entity_id, operation, key, only_for);
