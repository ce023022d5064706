-- What processes have seen of their machine's clock: `seen` is where a machine's wall clock and its uptime stood when it
-- was first looked at, `strayed` a wall clock that jumped or went back behind the newest posting, and `confirmed` a
-- person's word that the time is right again. Nothing is accrued or closed between a `strayed` and its `confirmed`.
create table service.clock_marks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('seen', 'strayed', 'confirmed')),
  machine text not null,
  -- The process's clock, and the database's.
  at timestamptz not null,
  database_at timestamptz not null default clock_timestamp(),
  -- Milliseconds since the machine was started.
  up_ms bigint not null,
  newest_posting_id uuid,
  note text not null
);
create index clock_marks_of_machine on service.clock_marks (machine, id) where kind = 'seen';
-- Every commit looks at the latest of these.
create index clock_marks_decisive on service.clock_marks (id) where kind <> 'seen';
create trigger clock_marks_append_only before update or delete or truncate on service.clock_marks
  for each statement execute function service.refuse_change();

-- At its start a process reads the newest ids, so as to go on above them with whatever clock.
create index transaction_changes_newest on service.transaction_changes (change_id);
