-- Until when a page may look at the session. A merchant that asks again for an order, which may be paid long since,
-- has its page shown what became of it: then this moves on, and expires_at stays that of the code.
alter table broker.widget_sessions add column shown_until timestamptz;
update broker.widget_sessions set shown_until = expires_at + interval '5 minutes';
alter table broker.widget_sessions alter column shown_until set not null;
