-- A payee is new until enough was paid to it a day ago or longer; `first_time_payee` says that nothing was ever paid.
alter table broker.approvals add column new_payee boolean not null default false;
update broker.approvals set new_payee = first_time_payee where state = 'open';
