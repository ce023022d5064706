-- Roll-ups, written in the posting's commit and summed over the writers' slots when read.
-- Debits and credits of an entity's accounts by kind and booking day; counterparty_id is nil but for due to and from.
create table service.ledger_days (
  entity_id uuid not null,
  kind text not null,
  counterparty_id uuid not null,
  day date not null,
  slot smallint not null,
  debit numeric not null,
  credit numeric not null,
  primary key (entity_id, kind, counterparty_id, day, slot)
);
insert into service.ledger_days
  select a.entity_id, a.kind, coalesce(a.counterparty_id, '00000000-0000-0000-0000-000000000000'), p.business_day, 0,
    coalesce(-sum(e.amount) filter (where e.amount < 0), 0), coalesce(sum(e.amount) filter (where e.amount > 0), 0)
  from service.entries e join service.accounts a on a.id = e.account_id join service.postings p on p.id = e.posting_id
  group by 1, 2, 3, 4;

-- Days on which an account had an entry.
create table service.account_days (
  account_id uuid not null,
  day date not null,
  primary key (account_id, day)
);
insert into service.account_days
  select distinct e.account_id, p.business_day from service.entries e
  join service.postings p on p.id = e.posting_id join service.accounts a on a.id = e.account_id
  where a.kind = 'user_quota';
-- What a user sent on its last day of payments counts against a limit that is set later on that day.
update service.accounts a set active_on = d.day, spent_on = s.day, spent = coalesce(s.amount, 0)
  from (select account_id, max(day) as day from service.account_days group by account_id) d
  left join (select distinct on (t.from_user_id) t.from_user_id, p.business_day as day, sum(t.amount) as amount
    from service.transactions t join service.postings p on p.id = t.posting_id where t.status = 'approved'
    group by t.from_user_id, p.business_day order by t.from_user_id, p.business_day desc) s
    on s.from_user_id = d.account_id
  where a.id = d.account_id;

-- Credits of an entity by booking day and loan type. interest_due and interest_on_time stand on the due date's day.
create table service.credit_days (
  entity_id uuid not null,
  day date not null,
  loan_type text not null,
  slot smallint not null,
  granted numeric not null default 0,
  repaid numeric not null default 0,
  cancelled numeric not null default 0,
  written_off numeric not null default 0,
  recovered numeric not null default 0,
  late_principal numeric not null default 0,
  interest_accrued numeric not null default 0,
  interest_paid numeric not null default 0,
  interest_cancelled numeric not null default 0,
  interest_written_off numeric not null default 0,
  interest_due numeric not null default 0,
  interest_on_time numeric not null default 0,
  late_interest numeric not null default 0,
  primary key (entity_id, day, loan_type, slot)
);
insert into service.credit_days (entity_id, day, loan_type, slot, granted)
  select c.entity_id, p.business_day, c.loan_type, 0, sum(c.principal)
  from service.credits c join service.postings p on p.id = c.posting_id group by 1, 2, 3;

-- What a user has paid to another: the summary of its payments, refunds left out. latest holds at most ten ids.
create table service.payee_totals (
  from_user_id uuid not null,
  to_user_id uuid not null,
  to_creator_id uuid not null,
  from_creator_id uuid not null,
  first_settled_id uuid,
  first_at timestamptz not null,
  last_at timestamptz not null,
  total numeric not null,
  pending bigint not null,
  approved bigint not null,
  rejected bigint not null,
  reversed bigint not null,
  latest uuid[] not null,
  primary key (from_user_id, to_user_id)
);
create index payee_totals_newest on service.payee_totals (from_user_id, first_settled_id desc);
insert into service.payee_totals
  select from_user_id, to_user_id, (array_agg(to_creator_id))[1], (array_agg(from_creator_id))[1],
    (array_agg(id order by id) filter (where status = 'approved'))[1], min(created_at), max(created_at),
    coalesce(sum(amount) filter (where status = 'approved'), 0), count(*) filter (where status = 'pending'),
    count(*) filter (where status = 'approved'), count(*) filter (where status = 'rejected'),
    count(*) filter (where status = 'reversed'), (array_agg(id order by id desc))[1:10]
  from service.transactions where kind <> 'refund' group by 1, 2;

-- A logarithmic histogram of amounts: how many lie in each bucket (4 % wide), the buckets in order.
create function service.merge_histograms(
  buckets_a integer[], counts_a bigint[], buckets_b integer[], counts_b bigint[], out buckets integer[], out counts bigint[]
) language sql immutable as $$
  select coalesce(array_agg(b order by b), '{}'), coalesce(array_agg(c order by b), '{}')
  from (select b, sum(c)::bigint as c
    from (select * from unnest(buckets_a, counts_a) as x(b, c)
      union all select * from unnest(buckets_b, counts_b) as y(b, c)) as both_of
    group by b having sum(c) <> 0) as merged
$$;

-- The bucket in which the amount of nearest rank share * n lies; null for an empty histogram.
create function service.bucket_at(buckets integer[], counts bigint[], share numeric) returns integer
language sql immutable as $$
  select b from (
    select b, sum(c) over (order by b) as through, sum(c) over () as n from unnest(buckets, counts) as h(b, c)) as ranked
  where through >= ceil(share * n) order by b limit 1
$$;

-- Transactions that an entity's clients made, by business day of recording, kind and present status. The median and
-- the 95th percentile of a row are kept beside its histogram, so that a report over many days need not read it.
create table service.transaction_days (
  entity_id uuid not null,
  day date not null,
  kind text not null,
  status text not null,
  slot smallint not null,
  count bigint not null,
  amount numeric not null,
  buckets integer[] not null,
  counts bigint[] not null,
  median_bucket integer,
  p95_bucket integer,
  primary key (entity_id, day, kind, status, slot)
);

-- The same histograms by month, for the figures of long periods; month is its first day.
create table service.transaction_months (
  entity_id uuid not null,
  month date not null,
  kind text not null,
  status text not null,
  slot smallint not null,
  buckets integer[] not null,
  counts bigint[] not null,
  primary key (entity_id, month, kind, status, slot)
);

-- Rejected transactions by reason; the reason is empty where the caller asked for the rejection.
create table service.rejection_days (
  entity_id uuid not null,
  day date not null,
  kind text not null,
  reason text not null,
  slot smallint not null,
  count bigint not null,
  primary key (entity_id, day, kind, reason, slot)
);

-- A posting knows its business day. Rejected transactions have none: theirs is that of the default time zone.
create temporary table recorded on commit drop as
  select t.made_by, coalesce(p.business_day, (t.created_at at time zone 'America/Bogota')::date) as day, t.kind,
    t.status, coalesce(t.reason, '') as reason, t.amount, ceil(ln(t.amount::numeric) / ln(1.04))::integer as bucket
  from service.transactions t left join service.postings p on p.id = t.posting_id;
insert into service.transaction_days
  select made_by, day, kind, status, 0, sum(n), sum(total), array_agg(bucket order by bucket),
    array_agg(n order by bucket), service.bucket_at(array_agg(bucket), array_agg(n), 0.5),
    service.bucket_at(array_agg(bucket), array_agg(n), 0.95)
  from (select made_by, day, kind, status, bucket, count(*) as n, sum(amount) as total
    from recorded group by 1, 2, 3, 4, 5) as counted
  group by 1, 2, 3, 4;
insert into service.transaction_months
  select made_by, month, kind, status, 0, array_agg(bucket order by bucket), array_agg(n order by bucket)
  from (select made_by, date_trunc('month', day)::date as month, kind, status, bucket, count(*) as n
    from recorded group by 1, 2, 3, 4, 5) as counted
  group by 1, 2, 3, 4;
insert into service.rejection_days
  select made_by, day, kind, reason, 0, count(*) from recorded where status = 'rejected' group by 1, 2, 3, 4;

-- A closed month's reports: JSON text by loan product (an empty name for all), and the hash of that text.
create table service.month_closes (
  entity_id uuid not null references service.entities,
  month date not null,
  reports json not null,
  trial_balance_csv text not null,
  hash bytea not null,
  closed_at timestamptz not null,
  primary key (entity_id, month)
);
create trigger month_closes_append_only before update or delete or truncate on service.month_closes
  for each statement execute function service.refuse_change();
