-- Who gave, changed or took access, for ever: decisions about API clients and signing keys, the refused ones too.
create table service.access_records (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null,
  -- An API client's id, or `command line`.
  made_by text not null,
  request_id text,
  action text not null,
  -- The id of the API client or of the key; null where there is none yet.
  subject text,
  -- `done`, or the code of the refusal.
  outcome text not null
);
create index access_records_of_subject on service.access_records (subject, id);

create trigger access_records_append_only before update or delete or truncate on service.access_records
  for each statement execute function service.refuse_change();

create index api_clients_of_entity on service.api_clients (entity_id, created_at desc, id desc);
