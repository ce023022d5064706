-- The entity that this installation's own API clients (the broker's, the demo's, those that commands make) act for: the
-- broker can debit only users that this entity creates. Set once, by the first process that starts.
create table service.own_entity (
  is_only boolean primary key default true check (is_only),
  entity_id uuid not null references service.entities,
  recorded_at timestamptz not null default now()
);
create trigger own_entity_append_only before update or delete or truncate on service.own_entity
  for each statement execute function service.refuse_change();
