import { ConfigError } from "../config/config.ts";
import type { Sql, Tx } from "../database/connect.ts";
import { createEntity } from "../service/api-clients/api-clients.ts";

/** An entity by its id and its name. */
export interface Entity {
  readonly id: string;
  readonly name: string;
}

/** Options and dependencies of {@link keepOwnEntity}. */
export interface OwnEntityOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** A name or id that the configuration gives. */
  readonly wanted: string | undefined;
  /** The entity of credentials that an earlier version has kept for the broker. */
  readonly earlier: string | undefined;
  /** Gives the name where there is no entity at all yet. Throws where there is nobody to ask. */
  readonly askName: () => Promise<string>;
}

/** True if the text is an entity's id, rather than its name. */
export function isEntityId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Lists the entities of that name or id, or all where none is given, the oldest first. */
export async function findEntities(sql: Sql | Tx, wanted?: string): Promise<readonly Entity[]> {
  const which = wanted === undefined ? sql`true` : isEntityId(wanted) ? sql`id = ${wanted}` : sql`name = ${wanted}`;
  return sql<Entity[]>`select id, name from service.entities where ${which} order by created_at, id`;
}

/** Reads the entity of this installation; undefined until a first start has kept it. */
export async function readOwnEntity(sql: Sql | Tx): Promise<Entity | undefined> {
  const [own] = await sql<Entity[]>`
    select e.id, e.name from service.own_entity o join service.entities e on e.id = o.entity_id`;
  return own;
}

function isMeant({ id, name }: Entity, wanted: string): boolean {
  return name === wanted || id === wanted.toLowerCase();
}

async function findOrMake(tx: Tx, wanted: string, { newId, clock }: OwnEntityOptions): Promise<Entity> {
  const [entity, ...others] = await findEntities(tx, wanted);
  if (others.length > 0)
    throw new ConfigError([
      `CUPO_ENTITY names ${wanted}, and ${others.length + 1} entities have that name: give the id.`,
    ]);
  if (entity !== undefined) return entity;
  if (isEntityId(wanted))
    throw new ConfigError([`CUPO_ENTITY is the id of no entity: ${wanted}. Give a name to make one.`]);
  const made = { id: newId(), name: wanted };
  await createEntity(tx, { ...made, now: clock() });
  return made;
}

/** The entity to keep where none is kept yet; undefined where there is none and no name for one. */
async function choose(tx: Tx, options: OwnEntityOptions, asked: string | undefined): Promise<Entity | undefined> {
  const { wanted = asked, earlier } = options;
  if (wanted !== undefined) return findOrMake(tx, wanted, options);
  const [before] = earlier === undefined ? [] : await findEntities(tx, earlier);
  const [oldest] = before === undefined ? await findEntities(tx) : [before];
  return oldest;
}

async function tryKeeping(options: OwnEntityOptions, asked?: string): Promise<Entity | undefined> {
  return options.sql.begin(async (tx) => {
    // Processes that start at once on an empty database agree on one entity.
    await tx`lock table service.entities in share row exclusive mode`;
    const kept = await readOwnEntity(tx);
    const own = kept ?? (await choose(tx, options, asked));
    if (own === undefined) return undefined;
    if (options.wanted !== undefined && !isMeant(own, options.wanted)) {
      const sentence = `this installation acts for ${own.name} (${own.id}): give that, or remove the variable`;
      throw new ConfigError([`CUPO_ENTITY names ${options.wanted}, but ${sentence}.`]);
    }
    if (kept === undefined) await tx`insert into service.own_entity (entity_id) values (${own.id})`;
    return own;
  });
}

/**
 * Keeps for good which entity this installation acts for, and returns it: the one that the configuration names (made
 * where no entity has that name), else that of the broker's earlier credentials, else the oldest, else a new one with
 * the name that `askName` gives. Throws {@link ConfigError} where the configuration names another than the one that is
 * kept, an unknown id, or a name that several entities have.
 */
export async function keepOwnEntity(options: OwnEntityOptions): Promise<Entity> {
  const own = (await tryKeeping(options)) ?? (await tryKeeping(options, await options.askName()));
  if (own === undefined) throw new Error("no entity was kept, though a name was given");
  return own;
}
