import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../src/contract/broker/operator-merchants.ts";
import { asOperator, brokerDump } from "../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type TestBroker } from "../../test/support/broker.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { merchantCommand } from "./merchant-command.ts";
import { type CommandContext, CommandError, type CommandOutput, UsageError } from "./terminal-command.ts";

const SHOP = "https://tienda.example";

let broker: TestBroker;
let fixture: CommandContext;
beforeAll(async () => {
  broker = await aBroker();
  const { key, clock, random, newId, upstream: serviceAccess } = broker.options;
  fixture = { ...commandSettings, sql: broker.sql, key, clock, random, newId, serviceAccess };
});
afterAll(() => broker.stop());

const command = (...args: readonly string[]): Promise<CommandOutput> => merchantCommand.plan(args)(fixture);
async function made(...args: readonly string[]): Promise<MerchantWithKeys> {
  const user = ["--name", "La Tienda", "--user-id", broker.shop.id, "--origin", SHOP];
  return (await command("create", ...user, ...args)).data as MerchantWithKeys;
}

/** True if a session can be started with that server key. */
async function starts(key: string | null): Promise<boolean> {
  const headers = () => ({ authorization: `Bearer ${key}` });
  const client = createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
  return client.createSession({ body: { kind: "pay", amount: 1_000, origin: SHOP } }).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: "unauthorized" });
      return false;
    },
  );
}

describe("npm run merchant -- create", () => {
  it("makes what an operator's session lists, tells its keys once, and how to use them", async () => {
    const user = ["--name", "La Tienda", "--user-id", broker.shop.id];
    const limits = ["--open-amount-limit", "2000.50", "--first-party", "--webhook", "https://tienda.example/hook"];
    const { text, data } = await command(
      "create",
      ...user,
      "--origin",
      SHOP,
      "--origin",
      "https://b.example",
      ...limits,
    );
    const { server_key: key, publishable_key, webhook_secret, ...merchant } = data as MerchantWithKeys;
    for (const secret of [key, publishable_key, webhook_secret]) expect(text.split(secret ?? "?")).toHaveLength(2);
    expect(text).toContain(`User: Café La Esquina (${broker.shop.id})`);
    expect(text).toContain("curl http://broker.test/v1/sessions");
    expect(await starts(key)).toBe(true);
    const [listed] = (await (await asOperator(broker)).merchants({ query: { limit: "1" } })).body;
    expect({ ...listed, change: null, user_checked: true }).toEqual(merchant);
    expect(listed).toMatchObject({
      open_amount_limit: 2_000.5,
      first_party: true,
      origins: ["https://b.example", SHOP],
    });
    expect(await brokerDump(broker)).not.toContain(key?.slice(3));
  });

  it("finds the user by nit, as the service spells it", async () => {
    const { body: user } = await broker.entity.client.createUser({
      body: { name: "Luz", nit: "900.1-7", phone: "3007771111" },
    });
    const { data } = await command("create", "--name", "Luz", "--nit", "9001-7");
    expect(data).toMatchObject({ user_id: user.id, user_checked: true, origins: [] });
    await expect(command("create", "--name", "Luz", "--nit", "none-such")).rejects.toThrow(
      "no user with nit none-such",
    );
    await expect(command("create", "--name", "Luz", "--nit", "ñ")).rejects.toThrow(CommandError);
  });

  it("makes a new user of the service too, who is the entity's own, and tells the id beside the keys", async () => {
    const made = ["create", "--name", "La Nueva", "--new-user", "--nit", "901.555-1", "--phone", "3009015551"];
    const { text, data } = await command(...made);
    const { body: user } = await broker.entity.client.user({ query: { nit: "9015551" } });
    expect(user).toMatchObject({ name: "La Nueva", business_name: "La Nueva", yours: true });
    expect(data).toMatchObject({ user_id: user.id, user_checked: true, name: "La Nueva" });
    expect(text).toContain(`User: La Nueva (${user.id})`);
    const [record] = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where subject = ${(data as MerchantWithKeys).id}`;
    expect(JSON.parse(record?.facts ?? "{}")).toMatchObject({ user_id: user.id, user_made: true });
  });

  it("makes neither merchant nor user where the nit or the phone is another user's", async () => {
    const { body: user } = await broker.entity.client.createUser({
      body: { name: "Sol", nit: "9025551", phone: "3009025551" },
    });
    const before = await broker.sql`select from broker.merchants`;
    const made = (nit: string, phone: string) =>
      command("create", "--name", "Twice", "--new-user", "--nit", nit, "--phone", phone);
    await expect(made(user.nit, "3009025552")).rejects.toThrow("has that nit: --nit without --new-user");
    await expect(made("9025552", user.phone)).rejects.toThrow("has that phone");
    expect(await broker.sql`select from broker.merchants`).toHaveLength(before.length);
  });

  it("says why no user could be made: no credentials, or no answer", async () => {
    const create = ["create", "--name", "La Nueva", "--new-user", "--nit", "9035551", "--phone", "3009035551"];
    const without = (serviceAccess: CommandContext["serviceAccess"]) =>
      merchantCommand.plan(create)({ ...fixture, serviceAccess });
    await expect(without(undefined)).rejects.toThrow(/made at the service, but .* no credentials .*npm start once/);
    const nowhere = { ...broker.options.upstream, baseUrl: "http://127.0.0.1:1", authUrl: "http://127.0.0.1:1" };
    await expect(without(nowhere)).rejects.toThrow(/not known that the user was made: .* does not answer/);
  });

  it("makes nothing for a user that the service does not have", async () => {
    const before = await broker.sql`select from broker.merchants`;
    await expect(command("create", "--name", "Nobody", "--user-id", v7())).rejects.toThrow("The service has no user");
    expect(await broker.sql`select from broker.merchants`).toHaveLength(before.length);
  });

  it.each([
    ["does not answer", { baseUrl: "http://127.0.0.1:1", authUrl: "http://127.0.0.1:1" }],
    ["does not take the broker's credentials", { clientSecret: "wrong" }],
    ["no credentials", undefined],
  ])("says plainly that the user could not be checked, and why: %s", async (why, changes) => {
    const { upstream } = broker.options;
    const apart = { ...fixture, serviceAccess: changes === undefined ? undefined : { ...upstream, ...changes } };
    const id = v7();
    const { text, data } = await merchantCommand.plan(["create", "--name", "Later", "--user-id", id])(apart);
    expect(text).toMatch(new RegExp(`^User: ${id}: NOT CHECKED, .*${why}`, "m"));
    expect(data).toMatchObject({ user_id: id, user_checked: false });
    const byNit = merchantCommand.plan(["create", "--name", "Later", "--nit", "1"])(apart);
    await expect(byNit).rejects.toThrow(/looked up at the service.*say --user-id/);
  });

  it("warns that no page can show anything while no origin is listed, with the command that lists one", async () => {
    const { text, data } = await command("create", "--name", "Bare", "--user-id", broker.shop.id);
    const { id } = data as MerchantWithKeys;
    const next = /npm run merchant -- (change .*)$/m.exec(text)?.[1]?.split(" ") ?? [];
    expect((await command(...next)).data).toMatchObject({ id, origins: ["https://shop.example"] });
  });
});

describe("npm run merchant -- change, rotate and disable", () => {
  it("change what is named and leave the rest; the first webhook brings its secret", async () => {
    const { id } = await made("--open-amount-limit", "500", "--sells-top-ups");
    const { text, data } = await command("change", id, "--webhook", "https://a.example", "--first-party");
    const allowed = { open_amount_limit: 500, first_party: true, sells_top_ups: true };
    expect(data).toMatchObject({ ...allowed, origins: [SHOP] });
    expect(text).toContain((data as MerchantWithKeys).webhook_secret);
    const words = ["--no-open-amounts", "--no-first-party", "--no-sells-top-ups", "--no-webhook", "--no-origins"];
    const taken = await command("change", id, ...words);
    expect(taken.text).toMatch(/^sells top-ups +no$/m);
    const nothing = {
      open_amount_limit: null,
      first_party: false,
      sells_top_ups: false,
      webhook_url: null,
      origins: [],
    };
    expect(taken.data).toMatchObject({ ...nothing, webhook_secret: null, name: "La Tienda" });
    await expect(command("change", id, "--webhook", "https://user:word@a.example")).rejects.toThrow(
      "--webhook must have no user and password in it.",
    );
    const here = ["change", id, "--webhook", "http://127.0.0.1:3000/hook"];
    await expect(command(...here)).rejects.toThrow(/--webhook must start with https.*\n.*CUPO_WEBHOOK_PRIVATE/);
    await merchantCommand.plan(here)({ ...fixture, webhookPrivate: ["127.0.0.0/8"] });
  });

  it("finish what they say: the text of a rotation names the next step", async () => {
    const first = await made();
    const second = await command("rotate", first.id, "--kind", "server");
    const key = (second.data as MerchantWithKeys).server_key;
    expect([await starts(first.server_key), await starts(key)]).toEqual([true, true]);
    await expect(command("rotate", first.id, "--kind", "server")).rejects.toThrow("--retire KEY_ID");
    const next = /npm run merchant -- (rotate .*)$/m.exec(second.text)?.[1]?.split(" ") ?? [];
    const finished = await command(...next);
    expect(finished.text).toMatch(/^Live keys, oldest first: server [0-9a-f]{8}; /);
    expect([await starts(first.server_key), await starts(key)]).toEqual([false, true]);
    await expect(command(...next)).rejects.toThrow("list shows the ids");
    const { text } = await command("disable", first.id);
    expect(text).toMatch(/^Disabled since .* can still be paid\.$/);
    expect(await starts(key)).toBe(false);
    await expect(command("rotate", first.id, "--kind", "webhook")).rejects.toThrow("disabled for good");
    await expect(command("disable", v7())).rejects.toThrow("No merchant has this id. npm run merchant -- list");
  });

  it("say that a disabled merchant's webhook is told of the codes that can still be paid", async () => {
    const { id } = await made("--webhook", "https://a.example");
    expect((await command("disable", id)).text).toMatch(/ can still be paid, and its webhook is still told of them\.$/);
  });

  it("are in the audit as done at the command line", async () => {
    const { id } = await made();
    await command("rotate", id, "--kind", "publishable");
    await command("disable", id);
    const records = await broker.sql<{ action: string }[]>`
      select action from broker.audit_records where subject = ${id} and principal_kind = 'command line' order by id`;
    expect(records.map(({ action }) => action)).toEqual(["create merchant", "rotate merchant key", "disable merchant"]);
  });
});

describe("npm run merchant -- list", () => {
  it("shows every merchant without any key, and no character that would steer the terminal", async () => {
    const { id, server_key: key, publishable_key: publishable, keys } = await made();
    await broker.sql`update broker.merchants set name = ${"evil\u001b[2Jname\u202e"} where id = ${id}`;
    const { text, data } = await command("list");
    const [head, newest] = text.split("\n");
    expect(head).toMatch(/^merchant +name +user +made +state +origins/);
    expect(newest).toMatch(new RegExp(`^${id} +evil\u{fffd}\\[2Jname\u{fffd} +${broker.shop.id} .* live +${SHOP}`));
    expect(newest).toContain(keys.find(({ kind }) => kind === "server")?.id);
    for (const secret of [key, publishable]) expect(text + JSON.stringify(data)).not.toContain(secret);
  });
});

describe("npm run merchant -- deliveries and redeliver", () => {
  it("show what a webhook was sent, and send it again", async () => {
    const { id } = await made("--webhook", "https://a.example");
    expect((await command("deliveries", id)).text).toBe("Nothing was sent to this merchant yet.");
    const [session, event] = [v7(), v7()];
    await broker.sql`
      insert into broker.widget_sessions (id, token_hash, nonce, merchant_id, kind, origin, generation, fingerprint,
        reference, expires_at, shown_until, created_at)
      values (${session}, ${new Uint8Array(3)}, ${new Uint8Array(32)}, ${id}, 'pay', ${SHOP}, 1, ${new Uint8Array(32)},
        '7K3M9QXT2V4FW', now(), now(), now())`;
    await broker.sql`
      insert into broker.merchant_events (id, merchant_id, session_id, type, refunded_amount, body, created_at, state,
        attempts, next_attempt_at, last_attempt_at, last_status, last_error)
      values (${event}, ${id}, ${session}, 'payment.paid', 0, '{}', now(), 'failed', 9, now(), now(), 500, 'refused')`;
    const { text } = await command("deliveries", id);
    expect(text).toMatch(new RegExp(`^${event} +payment.paid +${session} .* failed +9 +– +refused 500$`, "m"));
    const { data } = await command("redeliver", id, event);
    expect(data).toMatchObject({ event_id: event, state: "waiting" });
    await expect(command("redeliver", id, v7())).rejects.toThrow("No event of this merchant");
  });
});

describe("what is not understood", () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  const create = ["create", "--name", "A", "--user-id", id];

  it.each([
    [[], "Say one of create, change, rotate, disable, list, deliveries, redeliver."],
    [["create", "--user-id", id], "Name the merchant, as --name TEXT."],
    [["create", "--name", "A"], "--user-id ID or --nit NIT: one of the two."],
    [[...create, "--nit", "1"], "--user-id ID or --nit NIT: one of the two."],
    [[...create, "--new-user"], "--user-id names a user that there is, and --new-user makes one: say one of the two."],
    [["create", "--name", "A", "--new-user", "--nit", "1"], "--nit NIT and --phone PHONE."],
    [["create", "--name", "A", "--new-user", "--nit", "ñ", "--phone", "3"], "--nit must be at most 20 letters"],
    [["create", "--name", "A", "--nit", "1", "--phone", "3"], "--phone is of a user to make: say --new-user too."],
    [["create", "--name", "A", "--user-id", "1"], "--user-id must be an id"],
    [["create", "--name", " ", "--user-id", id], "--name must have a letter or a digit."],
    [["create", "--name", "A\u202e", "--user-id", id], "--name must not have U+202E, which nobody can see"],
    [[...create, "--origin", "https://shop.example/"], "--origin must be an origin such as https://shop.example"],
    [[...create, "--open-amount-limit", "much"], "--open-amount-limit must be an amount in currency units"],
    [[...create, "--open-amount-limit", "0"], "--open-amount-limit must be greater than zero"],
    [[...create, "--open-amount-limit", "1.001"], "--open-amount-limit must have at most 2 decimals"],
    [[...create, "--webhook", "tienda.example"], "--webhook must be an http or https URL."],
    [[...create, "--secret", "mine"], "--secret"],
    [[...create, "B"], '"B" is one word too many.'],
    [["change"], "Name the merchant id."],
    [["change", "shop", "--name", "A"], "The merchant id is the UUID"],
    [["change", id], "Say what to change"],
    [["change", id, "--webhook", "https://a.example", "--no-webhook"], "--no-webhook and --webhook cannot be both"],
    [["rotate", id], "Say --kind server, publishable or webhook."],
    [["rotate", id, "--kind", "all"], "Say --kind server, publishable or webhook."],
    [["rotate", id, "--kind", "server", "--no-new"], "--no-new needs a key to end"],
    [["rotate", id, "--kind", "server", "--retire", "sk_1"], "--retire must be the id of a key"],
    [["disable"], "Name the merchant id."],
    [["deliveries", "shop"], "The merchant id is the UUID"],
    [["redeliver", id], "Name the event id."],
    [["redeliver", id, "1"], "The event id is the UUID that deliveries shows first."],
    [["list", "all"], '"all" is one word too many.'],
  ])("is said before any database is looked for: %j", (args, sentence) => {
    expect(() => merchantCommand.plan(args)).toThrow(UsageError);
    expect(() => merchantCommand.plan(args)).toThrow(sentence);
  });
});
