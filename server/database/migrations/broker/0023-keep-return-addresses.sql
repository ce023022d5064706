-- Where the app leads a payer back to, as the merchant's backend sent it with a payment session. Its origin is compared
-- with those that the merchant lists whenever it is told, and not only when it was sent.
alter table broker.widget_sessions
  add column return_url text check (length(return_url) <= 2000),
  add constraint widget_sessions_return check (kind = 'pay' or return_url is null);
