-- Another entity sees, of a user that it did not create, only what its own users paid and were paid: with an index of
-- that, asking for it costs the same whatever the user's history is. Payments within an entity are not in it.
create index transactions_received_from on service.transactions (from_creator_id, to_user_id, id desc)
  where from_creator_id <> to_creator_id;
create index transactions_sent_to on service.transactions (to_creator_id, from_user_id, id desc)
  where from_creator_id <> to_creator_id;
create index transfers_received_from on service.transfers (from_creator_id, to_user_id, id desc)
  where from_creator_id <> to_creator_id;
create index transfers_sent_to on service.transfers (to_creator_id, from_user_id, id desc)
  where from_creator_id <> to_creator_id;

-- Nearly all payments are approved, and most are of the kind `payment`: with the others in indexes of their own, a list
-- of one of their statuses or kinds goes down nothing else, and recording most payments costs no more.
create index transactions_received_by_status on service.transactions (status, to_user_id, id desc)
  where status <> 'approved';
create index transactions_sent_by_status on service.transactions (status, from_user_id, id desc)
  where status <> 'approved';
create index transactions_received_by_kind on service.transactions (kind, to_user_id, id desc)
  where kind <> 'payment';
create index transactions_sent_by_kind on service.transactions (kind, from_user_id, id desc)
  where kind <> 'payment';
