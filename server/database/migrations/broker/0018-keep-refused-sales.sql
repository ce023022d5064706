-- An attempt is its merchant's, whichever till or session asks again. Where two tills used one key, the older sale gives
-- it up: its id stands there now.
update broker.recharges old set attempt_key = old.id::text
where exists (
  select from broker.recharges newer
  where newer.merchant_id = old.merchant_id and newer.attempt_key = old.attempt_key and newer.id > old.id
);
alter table broker.recharges
  drop constraint recharges_attempt_key,
  add constraint recharges_attempt_key unique (merchant_id, attempt_key);

-- A sale that was refused: a later copy of the same attempt is refused too. It lives as long as its look-up, without
-- which nothing is sold.
create table broker.refused_recharges (
  merchant_id uuid not null references broker.merchants,
  attempt_key text not null,
  fingerprint bytea not null,
  look_up_id uuid not null references broker.look_ups on delete cascade,
  code text not null,
  detail text,
  exceeded_limit text,
  primary key (merchant_id, attempt_key)
);
create index refused_recharges_of_look_up on broker.refused_recharges (look_up_id);
