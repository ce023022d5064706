-- Powers belong to server keys: two admins, or the command line, agreed that this key may show any user's quota or sell
-- top-ups. Keys of before keep what they could do. made_by: the operator who made the key over HTTP.
alter table broker.merchant_keys
  add column first_party boolean not null default false,
  add column sells_top_ups boolean not null default false,
  add column made_by uuid references broker.people,
  add constraint merchant_keys_powers check (kind = 'server' or not (first_party or sells_top_ups));
update broker.merchant_keys k set first_party = m.first_party, sells_top_ups = m.sells_top_ups
  from broker.merchants m where m.id = k.merchant_id and k.kind = 'server' and not k.restricted;
alter table broker.merchant_keys drop column restricted;

-- The server keys that a change lists, and that alone gain what it gives. A change without powers of its own gives them
-- those that their merchant has already.
create table broker.merchant_change_keys (
  change_id uuid not null references broker.merchant_changes,
  key_hash bytea not null references broker.merchant_keys,
  primary key (change_id, key_hash)
);
insert into broker.merchant_change_keys (change_id, key_hash)
  select id, key_hash from broker.merchant_changes where key_hash is not null
  union all
  select c.id, k.key_hash from broker.merchant_changes c join broker.merchant_keys k on k.merchant_id = c.merchant_id
  where c.key_hash is null and c.ended_at is null and k.kind = 'server' and k.revoked_at is null
    and k.created_at <= c.created_at;
drop index broker.merchant_changes_open;
alter table broker.merchant_changes drop constraint merchant_changes_asks, drop column key_hash;
create unique index merchant_changes_open on broker.merchant_changes (merchant_id)
  where ended_at is null and (first_party or sells_top_ups);
