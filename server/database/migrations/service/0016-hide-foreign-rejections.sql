-- Payments and transfers of another entity that neither moved nor held money are not listed for their receiver's
-- creator: any number of them may lie among the others, and no list goes down them.
drop index service.transactions_received;
create index transactions_received on service.transactions (to_user_id, id desc)
  where from_creator_id = to_creator_id or posting_id is not null or held_amount is not null;
drop index service.transactions_received_by_status;
create index transactions_received_by_status on service.transactions (status, to_user_id, id desc)
  where status <> 'approved'
    and (from_creator_id = to_creator_id or posting_id is not null or held_amount is not null);
drop index service.transactions_received_by_kind;
create index transactions_received_by_kind on service.transactions (kind, to_user_id, id desc)
  where kind <> 'payment'
    and (from_creator_id = to_creator_id or posting_id is not null or held_amount is not null);
drop index service.transactions_sent_to;
create index transactions_sent_to on service.transactions (to_creator_id, from_user_id, id desc)
  where from_creator_id <> to_creator_id and (posting_id is not null or held_amount is not null);

drop index service.transfers_received;
create index transfers_received on service.transfers (to_user_id, id desc)
  where from_creator_id = to_creator_id or posting_id is not null;
drop index service.transfers_sent_to;
create index transfers_sent_to on service.transfers (to_creator_id, from_user_id, id desc)
  where from_creator_id <> to_creator_id and posting_id is not null;
