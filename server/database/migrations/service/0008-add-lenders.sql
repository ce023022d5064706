-- What this version's migrations change, and what decides who owes whom, in the order in which a posting comes to them:
-- a process of the earlier version that still runs is waited for once, and never deadlocked with.
lock table service.told_expiries, service.api_clients, service.accounts, service.entities, service.postings
  in access exclusive mode;

-- Which other entities may assign quota to an entity's users: null is all of them. Entities that are there already go on
-- as they are: all others may, unless the entity lets none lend. A new entity begins without any.
alter table service.entities add column lenders uuid[];
update service.entities set lenders = '{}' where foreign_lenders = 'none';
alter table service.entities alter column lenders set default '{}';

-- Who may lend is `lenders`; this is how much of what is owed to them they may collect. A process of an earlier version
-- does not know the name: it fails rather than post without limits on what entities owe one another.
alter table service.entities rename column foreign_lenders to foreign_debts;
