-- Until when codes that expired unpaid were forgotten, so that nobody looks again at those that were paid before.
alter table service.told_expiries add column forgotten_through timestamptz;
