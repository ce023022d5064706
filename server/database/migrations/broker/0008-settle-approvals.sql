-- Consumed approvals whose outcome nobody has written down are looked for every few seconds.
create index approvals_running on broker.approvals (started_at, id) where state = 'running';
