-- Most of one ledger transfer of an entity's users; none until the entity sets one.
alter table service.entities add column transfer_limit bigint check (transfer_limit > 0);

-- The limit that a rejected payment or transfer passed: JSON {name, amount, left, untilDay}, sums in minor units.
alter table service.transactions add column exceeded_limit text;
alter table service.transfers add column exceeded_limit text;
