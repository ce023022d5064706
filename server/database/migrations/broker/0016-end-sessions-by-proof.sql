-- Ending another session of one's own takes a proof.
alter table broker.challenges
  drop constraint challenges_purpose_check,
  add constraint challenges_purpose_check check (purpose in (
    'sign_in', 'enrol', 'invite_device', 'remove_device', 'end_session', 'raise_limits', 'lower_limits', 'grant'));

-- The list has the last changes of each kind.
drop index broker.account_changes_of_person;
create index account_changes_of_person on broker.account_changes (person_id, kind, made_at desc, id desc);
