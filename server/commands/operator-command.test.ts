import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client.ts";
import { operatorContract, personContract } from "../../src/contract/broker/broker.ts";
import { asOperator, brokerDump } from "../../test/support/as-operator.ts";
import { aBroker, ORIGIN, ownPage, type TestBroker } from "../../test/support/broker.ts";
import { commandSettings } from "../../test/support/command-settings.ts";
import { enrolBy } from "../../test/support/enrolled-device.ts";
import { lockWaits } from "../../test/support/held-transaction.ts";
import { anotherOperator, inviteByTwo } from "../../test/support/second-operator.ts";
import { createSoftwarePasskey } from "../../test/support/software-passkey.ts";
import { operatorCommand } from "./operator-command.ts";
import { type CommandContext, CommandError, type CommandOutput, UsageError } from "./terminal-command.ts";

let broker: TestBroker;
let fixture: CommandContext;
beforeAll(async () => {
  broker = await aBroker();
  const { key, clock, random, newId, upstream: serviceAccess } = broker.options;
  const settings = { ...commandSettings, publicOrigin: ORIGIN };
  fixture = { ...settings, sql: broker.sql, key, clock, random, newId, serviceAccess };
});
afterAll(() => broker.stop());

interface CommandAnswer {
  readonly id: string;
  readonly link: string;
  readonly code: string;
}

const command = (...args: readonly string[]): Promise<CommandOutput> => operatorCommand.plan(args)(fixture);

/** Uses a link as the app does; returns the headers of the session that it signs in. */
async function use({ link, code }: CommandAnswer): Promise<Record<string, string>> {
  const [page, secret = ""] = link.split("#");
  expect(page).toBe(`${ORIGIN}/enrol`);
  const client = createClient(personContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => ownPage("") });
  const { options } = (await client.startEnrolment({ body: { secret, code } })).body;
  const credential = createSoftwarePasskey({ rpId: "localhost", origin: ORIGIN }).register(options);
  const { headers } = await client.finishEnrolment({ body: { secret, code, credential, device: "Laptop" } });
  return ownPage((headers.get("set-cookie") ?? "").split(";")[0] ?? "");
}

const over = { code: "enrolment_not_found" };
const audited = (action: string) =>
  broker.sql<{ subject: string; outcome: string; facts: string }[]>`
    select subject, outcome, facts from broker.audit_records
    where action = ${action} and principal_kind = 'command line' order by id desc`;

/** Waits until that many sessions wait for a lock. */
async function locksAwaited(count: number): Promise<void> {
  await expect.poll(() => lockWaits(broker.sql)).toBe(count);
}

describe("npm run operator", () => {
  it("makes the first admin, whose link signs in once as an admin, and tells no secret twice", async () => {
    const { text, data } = await command("create", "--name", "Olga Ríos", "--role", "admin");
    const told = data as CommandAnswer;
    for (const secret of [told.link, told.code]) expect(text.split(secret)).toHaveLength(2);
    const headers = await use(told);
    const pages = createClient(operatorContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => headers });
    const body = { name: "By Olga", user_id: broker.shop.id };
    expect((await pages.createMerchant({ body })).status).toBe(201);
    await expect(use(told)).rejects.toMatchObject(over);
    const listed = await command("list");
    expect(listed.text.split("\n")[1]).toMatch(new RegExp(`^${told.id} +Olga Ríos +admin .* live +1$`));
    const dump = (await brokerDump(broker)) + listed.text + JSON.stringify(listed.data);
    expect(dump).not.toContain(told.link.split("#en_")[1]);
    expect((await audited("create operator"))[0]).toMatchObject({ subject: told.id, outcome: "done" });
  });

  it("links another device, ends the link before, and shuts an operator out at once", async () => {
    const { data } = await command("create", "--name", "Pía", "--role", "viewer");
    const first = data as CommandAnswer;
    const second = (await command("link", first.id)).data as CommandAnswer;
    await expect(use(first)).rejects.toMatchObject(over);
    const headers = await use(second);
    const look = () => broker.fetch(`${ORIGIN}/v1/operator/enrolments`, { headers });
    expect((await look()).status).toBe(200);
    const third = (await command("link", first.id)).data as CommandAnswer;
    expect((await command("disable", first.id)).text).toContain("Pía is signed out everywhere");
    expect((await look()).status).toBe(401);
    await expect(use(third)).rejects.toMatchObject(over);
    await expect(command("link", first.id)).rejects.toThrow("This operator was disabled");
    await expect(command("disable", v7())).rejects.toThrow("npm run operator -- list");
    expect((await command("list")).text).toMatch(/Pía +viewer .* disabled 20/);
  });

  it("ends the links that an operator made for others when it shuts the operator out", async () => {
    const clerk = (await command("create", "--name", "Leo", "--role", "clerk")).data as CommandAnswer;
    const headers = await use(clerk);
    const pages = createClient(operatorContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => headers });
    const second = await anotherOperator(broker, "clerk");
    const made = await inviteByTwo(pages, second.client, { user_id: broker.ana.id });
    await command("disable", clerk.id);
    await expect(enrolBy(broker, made)).rejects.toMatchObject(over);
  });

  it("ends the link that an operator is just making when it shuts the operator out", async () => {
    const clerk = (await command("create", "--name", "Noa", "--role", "clerk")).data as CommandAnswer;
    const headers = await use(clerk);
    const pages = createClient(operatorContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => headers });
    const { making, disabling } = await broker.sql.begin(async (tx) => {
      await tx`select from broker.people where user_id = ${broker.ana.id} for no key update`;
      const making = pages.createEnrolment({ body: { user_id: broker.ana.id } });
      await locksAwaited(1);
      const disabling = command("disable", clerk.id);
      await locksAwaited(2);
      return { making, disabling };
    });
    await disabling;
    const [, secret = ""] = ((await making).body.link ?? "").split("#");
    await expect(enrolBy(broker, { secret, code: "000000" })).rejects.toMatchObject(over);
  });

  it("takes a link that is made while a first device is being kept for a second device's", async () => {
    const first = (await command("invite", "--user-id", broker.shop.id)).data as CommandAnswer;
    const keeping = await broker.sql.begin(async (tx) => {
      await tx`select from broker.people where user_id = ${broker.shop.id} for no key update`;
      const done = use(first);
      // Making a link locks this row: the device waits for it, and the next link waits for the device.
      await locksAwaited(1);
      return { done };
    });
    await keeping.done;
    expect((await command("invite", "--user-id", broker.shop.id)).data).toMatchObject({ delayed: true });
  });

  it("invites a user whom the service has, and says what holds for somebody with a device", async () => {
    const first = await command("invite", "--phone", broker.ben.phone);
    expect(first.text).toContain("first device, and may pay at once, up to the new-device limit");
    const headers = await use(first.data as CommandAnswer);
    const person = createClient(personContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers: () => headers });
    expect((await person.me({})).body).toMatchObject({ id: broker.ben.id, demo: false });
    await command("rules", "--two-operators-above", "0");
    const second = await command("invite", "--user-id", broker.ben.id);
    expect(second.text).toContain("the new one does not pay for a while.\nAn operator has to agree");
    await expect(use(second.data as CommandAnswer)).rejects.toMatchObject({ code: "enrolment_waiting" });
    const operator = await asOperator(broker);
    const [row] = (await operator.operatorEnrolments({})).body;
    expect((await operator.agreeToEnrolment({ params: { id: row?.id ?? "" } })).body.state).toBe("ready");
    await use(second.data as CommandAnswer);
    expect((await person.me({})).body.new_devices).toBe(1);
    await expect(command("invite", "--nit", "none-such")).rejects.toThrow("no user with nit none-such");
    const apart = operatorCommand.plan(["invite", "--nit", "1"])({ ...fixture, serviceAccess: undefined });
    await expect(apart).rejects.toThrow("cannot be looked up: this installation has no credentials");
    expect((await audited("make enrolment"))[0]?.outcome).toBe("made");
  });

  it("shows the entity's rules and changes what is named, and the app holds to them", async () => {
    const before = await command("rules", "--two-operators-above", "none");
    const none = { payment_limit: null, day_limit: null, first_time_limit: null };
    const newDevices = { new_device_hours: 24, new_device_limit: 200_000 };
    expect(before.data).toEqual({ ...none, ...newDevices, two_operators_above: null });
    const { text, data } = await command("rules", "--new-device-hours", "48", "--payment-limit", "200000.50");
    expect(data).toMatchObject({ new_device_hours: 48, payment_limit: 200_000.5, day_limit: null });
    expect(text).toMatch(/^most for one payment +200000\.5$/m);
    expect((await command("rules")).data).toEqual(data);
    expect((await (await broker.as("payer")).myLimits({})).body).toMatchObject({ payment: { entity: 200_000.5 } });
    expect(JSON.parse((await audited("change rules"))[0]?.facts ?? "")).toEqual({
      new_device_hours: "48",
      payment_limit: "20000050",
    });
    await expect(command("rules", "--day-limit", "0")).rejects.toThrow("--day-limit must be greater than zero.");
    await expect(command("rules", "--day-limit", "1.001")).rejects.toThrow(CommandError);
  });

  it.each([
    [[], "Say one of create, link, disable, list, invite, codes, freeze, unfreeze, rules."],
    [["create", "--role", "admin"], "Name the operator, as --name TEXT."],
    [["create", "--name", "A\u202e", "--role", "admin"], "--name must not have U+202E, which nobody can see"],
    [["create", "--name", "A", "--role", "boss"], "Say --role viewer, clerk or admin."],
    [["link"], "Name the operator id."],
    [["disable", "olga"], "The operator id is the UUID"],
    [["list", "all"], '"all" is one word too many.'],
    [["invite"], "one of the three"],
    [["invite", "--nit", "1", "--phone", "2"], "one of the three"],
    [["invite", "--user-id", "1"], "--user-id must be an id"],
    [["rules", "--new-device-hours", "721"], "--new-device-hours must be a whole number from 0 to 720."],
    [["codes", "--url", "https://a.example", "--off"], "--url and --off cannot be both: say one."],
    [
      ["rules", "--new-device-limit", "none"],
      "--new-device-limit must be an amount in currency units, such as 500000.",
    ],
    [["rules", "--payment-limit", "much"], "--payment-limit must be an amount"],
  ])("says before any database is looked for what is not understood: %j", (args, sentence) => {
    expect(() => operatorCommand.plan(args)).toThrow(UsageError);
    expect(() => operatorCommand.plan(args)).toThrow(sentence);
  });
});
