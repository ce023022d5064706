-- Every table that this version changes. A process of the earlier version that still runs is waited for once, and never
-- deadlocked with: accounts are let go again for whoever has any of the others.
do $$
begin
  for attempt in 1..6000 loop
    begin
      lock table service.accounts in access exclusive mode;
      lock table service.users, service.entities, service.qr_reservations, service.counterparty_limits,
        service.counterparty_slices, service.webhook_endpoints in access exclusive mode nowait;
      return;
    exception when lock_not_available then
      if attempt = 6000 then raise; end if;
      perform pg_sleep(0.1);
    end;
  end loop;
end
$$;

-- The version of a row that commands are decided on: no two updates leave the same one. A writer may decide on rows as it
-- remembers them, and commits only if their versions are still the same.
alter table service.accounts add column version bigint not null default 0;
alter table service.users add column version bigint not null default 0;
alter table service.entities add column version bigint not null default 0;
alter table service.qr_reservations add column version bigint not null default 0;
alter table service.counterparty_limits add column version bigint not null default 0;
alter table service.counterparty_slices add column version bigint not null default 0;

-- An update that names no version of its own gets one here.
create function service.draw_version() returns trigger language plpgsql as $$
begin
  new.version := hashtextextended(gen_random_uuid()::text, 0);
  return new;
end
$$;

create trigger accounts_version before update on service.accounts
  for each row when (new.version = old.version) execute function service.draw_version();
create trigger users_version before update on service.users
  for each row when (new.version = old.version) execute function service.draw_version();
create trigger entities_version before update on service.entities
  for each row when (new.version = old.version) execute function service.draw_version();
create trigger qr_reservations_version before update on service.qr_reservations
  for each row when (new.version = old.version) execute function service.draw_version();
create trigger counterparty_limits_version before update on service.counterparty_limits
  for each row when (new.version = old.version) execute function service.draw_version();
create trigger counterparty_slices_version before update on service.counterparty_slices
  for each row when (new.version = old.version) execute function service.draw_version();

-- The types of events that an entity's endpoints receive belong to its settings.
create function service.touch_entity() returns trigger language plpgsql as $$
begin
  update service.entities set version = version where id = coalesce(new.entity_id, old.entity_id);
  return null;
end
$$;

create trigger webhook_endpoints_touch_entity after insert or delete on service.webhook_endpoints
  for each row execute function service.touch_entity();
create trigger webhook_endpoints_touch_entity_when_changed after update on service.webhook_endpoints
  for each row when (new.event_types <> old.event_types or new.disabled_at is distinct from old.disabled_at)
  execute function service.touch_entity();

-- Ends a transaction whose rows are not as the writer remembers them.
create function service.require_remembered(is_as_remembered boolean) returns void language plpgsql as $$
begin
  if is_as_remembered is not true then
    raise exception 'a row is not as the writer remembers it' using errcode = 'CU001';
  end if;
end
$$;
