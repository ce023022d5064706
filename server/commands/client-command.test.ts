import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ORDINARY_SCOPES, SCOPES } from "../../src/contract/shared/scopes.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { aTokenFixture, type TokenFixture } from "../../test/support/token-fixture.ts";
import { createApiClient, createEntity, verifyApiClientSecret } from "../service/api-clients/api-clients.ts";
import { clientCommand } from "./client-command.ts";
import { CommandError, type CommandOutput, UsageError } from "./terminal-command.ts";

let fixture: TokenFixture;
beforeEach(async () => {
  fixture = await aTokenFixture();
});
afterEach(() => fixture.drop());

const command = (...args: readonly string[]): Promise<CommandOutput> =>
  clientCommand.plan(args)({ ...fixture, ...commandSettings, random: randomBytes, newId: () => v7() });

async function anEntity(name: string): Promise<string> {
  const id = v7();
  await fixture.sql.begin((tx) => createEntity(tx, { id, name, now: fixture.clock() }));
  return id;
}

describe("npm run client -- create", () => {
  it("makes one entity for a new name, also when several commands bring it at once", async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => command("create", "--entity", "Fintech")));
    const entities = new Set(made.map(({ data }) => (data as { entity_id: string }).entity_id));
    expect(entities.size).toBe(1);
    expect(made.filter(({ text }) => text.startsWith("New entity: "))).toHaveLength(1);
    expect(await fixture.sql`select from service.entities`).toHaveLength(1);
  });

  it("asks for the id where several entities have the name", async () => {
    const [first] = [await anEntity("Twin"), await anEntity("Twin")];
    await expect(command("create", "--entity", "Twin")).rejects.toThrow("Several entities have the name Twin");
    const { data } = await command("create", "--entity", first);
    const { client_id: clientId, client_secret: clientSecret } = data as Record<string, string>;
    const credentials = { clientId: clientId ?? "", clientSecret: clientSecret ?? "" };
    expect(await verifyApiClientSecret(fixture.sql, credentials)).toMatchObject({
      ...{ clientId, entityId: first },
      scopes: ORDINARY_SCOPES,
    });
  });

  it("gives the scopes of the interface's operations, or those that are named, and says which", async () => {
    const create = (...more: string[]) => command("create", "--entity", "Fintech", ...more);
    const usual = await create();
    expect(usual.data).toMatchObject({ scopes: ORDINARY_SCOPES });
    expect(usual.text).toMatch(/^scope +read pay users quota$/m);
    expect(usual.text).not.toContain("administration");
    const named = await create("--scope", "administration read");
    expect(named.data).toMatchObject({ scopes: ["read", "administration"] });
    expect(named.text).toContain("-d scope=administration");
    expect((await command("list")).text).toMatch(/read administration/);
    for (const wrong of ["", "all", "read,pay"])
      await expect(async () => create("--scope", wrong)).rejects.toThrow(UsageError);
  });

  it("makes nothing for an id that no entity has", async () => {
    await expect(command("create", "--entity", v7())).rejects.toThrow(CommandError);
    expect(await fixture.sql`select from service.entities`).toEqual([]);
    expect(await fixture.sql`select from service.access_records`).toEqual([]);
  });
});

describe("npm run client -- list", () => {
  it("shows no character of a name that would steer the terminal", async () => {
    const entityId = await anEntity("Fintech");
    const name = "evil\u001b[2Jname\u202e\u2028\u0007";
    const making = { now: fixture.clock(), randomBytes };
    await fixture.sql.begin((tx) => createApiClient(tx, { entityId, name, scopes: SCOPES }, making));
    const { text, data } = await command("list");
    expect(text).toContain("evil\u{fffd}[2Jname\u{fffd}\u{fffd}\u{fffd}");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(data).toMatchObject([{ entity_id: entityId, clients: [{ name }] }]);
  });

  it("says that there is no entity yet, and shows one without clients", async () => {
    expect((await command("list")).text).toBe("There is no entity yet.");
    const entityId = await anEntity("Empty");
    expect((await command("list")).text).toMatch(new RegExp(`^Empty \\(${entityId}\\)\\n {2}client`));
    await expect(command("list", "--entity", "Nobody")).rejects.toThrow("There is no entity Nobody");
  });
});

describe("npm run client -- rotate and disable", () => {
  it("finish what they say: each step's text names the next, and the last secret cannot be ended", async () => {
    const { data } = await command("create", "--entity", "Fintech");
    const { client_id: clientId = "" } = data as Record<string, string>;
    fixture.clock.advance(1);
    const { text } = await command("rotate", clientId);
    const next = /npm run client -- (rotate .*)$/m.exec(text)?.[1]?.split(" ") ?? [];
    const finished = await command(...next);
    const [left] = (finished.data as { secrets: readonly { id: string }[] }).secrets;
    expect(finished.text).toMatch(/^Live secrets, oldest first: [0-9a-f]{8} \(/);
    const last = command("rotate", clientId, "--retire", left?.id ?? "", "--no-new-secret");
    await expect(last).rejects.toThrow("disable the client");
    expect((await command("disable", clientId)).text).toContain("refused within one minute");
    await expect(command("rotate", clientId)).rejects.toThrow("disabled for good");
  });

  it("name the option that ends a secret, where there are two already and where there is none of that id", async () => {
    const { data } = await command("create", "--entity", "Fintech");
    const { client_id: clientId = "" } = data as Record<string, string>;
    await command("rotate", clientId);
    await expect(command("rotate", clientId)).rejects.toThrow("--retire SECRET_ID");
    await expect(command("rotate", clientId, "--retire", "none")).rejects.toThrow("--retire SECRET_ID");
  });

  it("warn that an entity has no client left, with the command that makes one, and only then", async () => {
    const made = [await command("create", "--entity", "Fintech"), await command("create", "--entity", "Fintech")];
    await command("create", "--entity", "Other");
    const [first = "", last = ""] = made.map(({ data }) => (data as { client_id: string }).client_id);
    expect((await command("disable", first)).text).not.toContain("no client left");
    const { text } = await command("disable", last);
    expect(text).toContain("Fintech has no client left");
    const next = /npm run client -- (create .*)$/m.exec(text)?.[1]?.split(" ") ?? [];
    const { text: remade } = await command(...next);
    expect(remade).toMatch(/^Entity: Fintech /);
    expect((await command("disable", last)).text).not.toContain("no client left");
  });
});
