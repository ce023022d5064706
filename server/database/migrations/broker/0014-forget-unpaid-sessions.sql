-- True if a payment session whose code expired long ago is kept for good, because its code was paid: nobody looks at it
-- again. Sessions that were never paid are forgotten.
alter table broker.widget_sessions add column is_kept boolean not null default false;
create index widget_sessions_unpaid on broker.widget_sessions (expires_at) where kind = 'pay' and not is_kept;
