-- A payment session as its merchant reads it again: amount in minor units, and details as they were sent, by the
-- merchant's backend or, where by_page, by a page with the publishable key. Earlier sessions have none of the three.
-- final_state: the state of the code once it can change no more, with the payment's id, so that the service is asked no
-- more; null until it was seen.
alter table broker.widget_sessions
  add column amount bigint check (amount > 0),
  add column details json,
  add column by_page boolean not null default false,
  add column final_state text check (final_state in ('paid', 'expired', 'cancelled')),
  add column transaction_id uuid,
  add constraint widget_sessions_details
    check (kind = 'pay' or (amount is null and details is null and final_state is null and transaction_id is null));
create index widget_sessions_of_merchant on broker.widget_sessions (merchant_id, id desc) where kind = 'pay';
