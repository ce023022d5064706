-- Another entity sees, of a user that it did not create, only what its own users paid and were paid: with an index of
-- that, asking for it costs the same whatever the user's history is. Payments within an entity are not in it.
create index transactions_received_from on service.transactions (to_user_id, from_creator_id, id desc)
  where from_creator_id <> to_creator_id;
create index transactions_sent_to on service.transactions (from_user_id, to_creator_id, id desc)
  where from_creator_id <> to_creator_id;
create index transfers_received_from on service.transfers (to_user_id, from_creator_id, id desc)
  where from_creator_id <> to_creator_id;
create index transfers_sent_to on service.transfers (from_user_id, to_creator_id, id desc)
  where from_creator_id <> to_creator_id;
