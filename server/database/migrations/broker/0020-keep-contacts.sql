-- A contact of a person is the other party of a movement that one of their lists has told of. `has_paid` is never
-- taken back: from then on the person knows the contact's full name.
create table broker.contacts (
  user_id uuid not null references broker.people (user_id) on delete cascade,
  contact_id uuid not null,
  has_paid boolean not null,
  -- The person's own name for the contact, shown to nobody else.
  nickname text check (nickname <> ''),
  primary key (user_id, contact_id),
  constraint contacts_of_another check (contact_id <> user_id)
);
create index contacts_with_nickname on broker.contacts (user_id) where nickname is not null;

-- A merchant's user is named in full to everybody.
create index merchants_by_user on broker.merchants (user_id);
