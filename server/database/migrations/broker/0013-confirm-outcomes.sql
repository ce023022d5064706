-- A payee is new until enough was paid to it a day ago or longer; `first_time_payee` says that nothing was ever paid.
alter table broker.approvals add column new_payee boolean not null default false;
update broker.approvals set new_payee = first_time_payee where state = 'open';

-- "failed" was said before it was certain: each is asked for once more, and corrected where the payment was made.
alter table broker.approvals
  add column unconfirmed boolean not null default false,
  add column corrected_at timestamptz;
update broker.approvals set unconfirmed = true where state = 'failed';
create index approvals_unconfirmed on broker.approvals (started_at, id) where unconfirmed;
alter table broker.recharges
  add column unconfirmed boolean not null default false,
  add column corrected_at timestamptz;
update broker.recharges set unconfirmed = true where state = 'failed';
create index recharges_unconfirmed on broker.recharges (created_at, id) where unconfirmed;

-- The limit that a rejected payment or sale passed: JSON as it is answered.
alter table broker.approvals add column exceeded_limit text;
alter table broker.recharges add column exceeded_limit text;
