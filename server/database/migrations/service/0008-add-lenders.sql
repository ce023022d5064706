-- Which other entities may assign quota to an entity's users: null is all of them. Entities that are there already go on
-- as they are: all others may, unless the entity lets none lend. A new entity begins without any.
alter table service.entities add column lenders uuid[];
update service.entities set lenders = '{}' where foreign_lenders = 'none';
alter table service.entities alter column lenders set default '{}';
