-- Changes that guard a person's account, each told to the person's devices once. session_hash is the session that made
-- the change, whose browser is not told.
create table broker.account_changes (
  id uuid primary key,
  person_id uuid not null references broker.people,
  kind text not null,
  session_hash bytea,
  made_at timestamptz not null,
  told_at timestamptz
);
create index account_changes_of_person on broker.account_changes (person_id, made_at desc, id desc);
create index account_changes_untold on broker.account_changes (made_at) where told_at is null;

alter table broker.challenges
  drop constraint challenges_purpose_check,
  add constraint challenges_purpose_check check (
    purpose in ('sign_in', 'enrol', 'invite_device', 'remove_device', 'raise_limits', 'lower_limits', 'grant'));

-- Grants lapse; those that were given before do so 90 days after this upgrade.
alter table broker.grants add column lapses_at timestamptz;
update broker.grants set lapses_at = now() + interval '90 days';
alter table broker.grants alter column lapses_at set not null;
