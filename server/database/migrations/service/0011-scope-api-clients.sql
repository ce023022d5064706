-- What the tokens of an API client may do at most (OAuth scopes). Clients that there are keep what they could do.
alter table service.api_clients add column scopes text[] not null
  default array['read', 'pay', 'users', 'quota', 'administration']
  check (cardinality(scopes) > 0 and scopes <@ array['read', 'pay', 'users', 'quota', 'administration']);
-- A new client is given its scopes.
alter table service.api_clients alter column scopes drop default;
