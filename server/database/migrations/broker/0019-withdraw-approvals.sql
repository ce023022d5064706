-- An approval that nobody consumed is withdrawn before anybody is told that it paid nothing.
alter table broker.approvals
  drop constraint approvals_state_check,
  add constraint approvals_state_check
    check (state in ('open', 'running', 'approved', 'rejected', 'failed', 'withdrawn')),
  drop constraint approvals_started,
  add constraint approvals_started check ((state in ('open', 'withdrawn')) = (started_at is null)),
  drop constraint approvals_finished,
  add constraint approvals_finished
    check ((state in ('approved', 'rejected', 'failed', 'withdrawn')) = (finished_at is not null));
drop index broker.approvals_left_open;
create index approvals_not_consumed on broker.approvals (expires_at) where state in ('open', 'withdrawn');
