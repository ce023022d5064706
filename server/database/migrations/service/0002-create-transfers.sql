-- Transfers of balance between users: records of their own, decided at once and never changed afterwards. A rejected
-- one is kept too, and has no posting.
create table service.transfers (
  id uuid primary key,
  reference text not null,
  status text not null check (status in ('approved', 'rejected')),
  reason text check ((reason is null) = (status = 'approved')),
  amount bigint not null check (amount > 0),
  date timestamptz not null,
  details json not null,
  from_user_id uuid not null,
  from_creator_id uuid not null,
  to_user_id uuid not null check (to_user_id <> from_user_id),
  to_creator_id uuid not null,
  made_by uuid not null,
  posting_id uuid check ((posting_id is not null) = (status = 'approved')),
  created_at timestamptz not null,
  constraint transfers_reference_key unique (reference)
);
create index transfers_received on service.transfers (to_user_id, id desc);
create index transfers_sent on service.transfers (from_user_id, id desc);

create trigger transfers_append_only before update or delete or truncate on service.transfers
  for each statement execute function service.refuse_change();

-- Every posting that exists satisfies the narrower check that is dropped here: not valid spares reading them all again
-- while the table is locked, and new postings are checked all the same.
alter table service.postings
  drop constraint postings_kind_check,
  add constraint postings_kind_check check (kind in ('transaction', 'credit', 'deposit', 'transfer')) not valid;
