import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aService, type TestService } from "../../test/support/service.ts";
import { createEntity } from "../service/api-clients/api-clients.ts";
import { keepOwnEntity, type OwnEntityOptions, readOwnEntity } from "./own-entity.ts";

let service: TestService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.stop());

/** Names of this run's entities that no other test has. */
let names = 0;
const aName = (): string => `Fintech ${++names}`;

async function anEntity(name = aName()): Promise<{ readonly id: string; readonly name: string }> {
  const made = { id: v7(), name };
  await service.sql.begin((tx) => createEntity(tx, { ...made, now: new Date() }));
  return made;
}

function keep(changes: Partial<OwnEntityOptions> = {}) {
  const nobodyToAsk = (): Promise<string> => Promise.reject(new Error("asked"));
  const own = { sql: service.sql, clock: () => new Date(), newId: () => v7() };
  return keepOwnEntity({ ...own, wanted: undefined, earlier: undefined, askName: nobodyToAsk, ...changes });
}

/** The row is append-only; a new installation is what a test begins with. */
afterEach(async () => {
  await service.sql`alter table service.own_entity disable trigger own_entity_append_only`;
  await service.sql`delete from service.own_entity`;
  await service.sql`alter table service.own_entity enable trigger own_entity_append_only`;
});

describe("the installation's own entity", () => {
  it("is the one that the configuration names, made once by whichever process comes first", async () => {
    const wanted = aName();
    const [first, second] = await Promise.all([keep({ wanted }), keep({ wanted })]);
    expect(second).toEqual(first);
    expect(await readOwnEntity(service.sql)).toEqual(first);
    expect(await service.sql`select from service.entities where name = ${wanted}`).toHaveLength(1);
    expect(await keep()).toEqual(first);
  });

  it("may be named by its id, in either case, and then by no other", async () => {
    const { id } = await anEntity();
    expect((await keep({ wanted: id.toUpperCase() })).id).toBe(id);
    expect((await keep({ wanted: id })).id).toBe(id);
    await expect(keep({ wanted: v7() })).rejects.toThrow("CUPO_ENTITY names ");
  });

  it("is never made by an id that no entity has", async () => {
    await expect(keep({ wanted: v7() })).rejects.toThrow("CUPO_ENTITY is the id of no entity");
  });

  it("stays the one of the broker's earlier credentials, or the oldest, where none is named", async () => {
    const { id: earlier } = await anEntity();
    expect((await keep({ earlier })).id).toBe(earlier);
  });

  it("is asked for where there is no entity at all, and only there", async () => {
    const [oldest] = await service.sql<{ id: string }[]>`
      select id from service.entities order by created_at, id limit 1`;
    expect((await keep({ earlier: v7() })).id).toBe(oldest?.id);
  });

  it("is kept: another name does not start", async () => {
    const own = await keep({ wanted: aName() });
    const [fault] = [await keep({ wanted: "Another" }).catch((error: Error) => error.message)];
    expect(fault).toContain(`CUPO_ENTITY names Another, but this installation acts for ${own.name} (${own.id})`);
    expect(await service.sql`select from service.entities where name = 'Another'`).toHaveLength(0);
  });

  it("is not guessed among several of one name", async () => {
    const name = aName();
    await anEntity(name);
    await anEntity(name);
    await expect(keep({ wanted: name })).rejects.toThrow(`2 entities have that name: give the id`);
  });
});
