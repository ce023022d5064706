import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asOperator, brokerDump, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import {
  browserAt,
  type EnrolledDevice,
  enrolBy,
  type Link,
  proveBy,
} from "../../../../test/support/enrolled-device.ts";
import { type AnotherOperator, anotherOperator, inviteByTwo } from "../../../../test/support/second-operator.ts";
import { aUser } from "../../../../test/support/service.ts";
import type { PasskeyChanges } from "../../../../test/support/software-passkey.ts";

let broker: TestBroker;
let operator: OperatorClient;
/** The operator who is shown the codes of the links that the first one makes. */
let second: AnotherOperator;
/** Everything that was logged, in which no secret may be found. */
const logged: string[] = [];
/** Secrets and codes of all links that were made here. */
const keys: string[] = [];

beforeAll(async () => {
  const write = (fields: object, message: string) => logged.push(JSON.stringify([fields, message]));
  broker = await aBroker({ log: { debug: write, info: write, warn: write, error: write } });
  await signOperatorsIn();
});
afterAll(() => broker.stop());

async function signOperatorsIn(): Promise<void> {
  operator = await asOperator(broker);
  second = await anotherOperator(broker, "clerk");
}

function keep({ secret, code }: Link): Link {
  expect([secret, code]).toEqual([expect.stringMatching(/^en_[\w-]{43}$/), expect.stringMatching(/^\d{6}$/)]);
  keys.push(secret.slice(3), code);
  return { secret, code };
}

/** Makes a user who is unknown to the broker. */
const newUser = (name: string) => aUser(broker.entity, { name, quota: 300_000 });

const invite = async (userId: string) => keep(await inviteByTwo(operator, second.client, { user_id: userId }));

/** Ends the first day of all devices, and of nothing else. */
const passFirstDay = () => broker.sql`update broker.passkeys set created_at = created_at - interval '1 day'`;

const browser = (cookie = "") => browserAt(broker, cookie);
const wrong = (code: string): string => (code === "000000" ? "000001" : "000000");
const enrol = (link: Link, how: Parameters<typeof enrolBy>[2] = {}) => enrolBy(broker, link, how);

async function remove(by: EnrolledDevice, id: string) {
  return by.client.removeDevice({ params: { id }, body: { proof: await proveBy(by, "remove_device") } });
}

async function deviceId({ client }: EnrolledDevice): Promise<string> {
  return (await client.myDevices({})).body.find(({ current }) => current)?.id ?? "";
}

async function inviteOwn(by: EnrolledDevice): Promise<Link> {
  const { link, code } = (await by.client.inviteDevice({ body: { proof: await proveBy(by, "invite_device") } })).body;
  const [page, secret = ""] = link.split("#");
  expect(page).toBe(`${ORIGIN}/enrol`);
  return keep({ secret, code });
}

const over = { code: "enrolment_not_found" };
describe("a link of an operator", () => {
  it("makes a device for a user whom the app did not know, who then pays at once", async () => {
    const user = await newUser("Lucía Pérez");
    const link = keep(await inviteByTwo(operator, second.client, { phone: user.phone }));
    const look = (await browser().enrolment({ body: { secret: link.secret } })).body;
    expect(look).toMatchObject({ name: "Lucía Pérez", kind: "person", delayed: false, waiting: false, tries_left: 5 });
    const { client, body, options } = await enrol(link);
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Cupo" },
      user: { name: "Lucía Pérez" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(body).toEqual({ signed_in: true });
    expect((await client.me({})).body).toMatchObject({ id: user.id, demo: false, new_devices: 0 });
    expect((await client.myDevices({})).body).toMatchObject([{ name: "Phone", current: true, last_used_at: null }]);
    const [listed] = (await operator.operatorEnrolments({})).body;
    expect(listed).toMatchObject({ user_id: user.id, name: "Lucía Pérez", state: "used" });
  });

  it("is good once, for ten minutes, and until the next one or until it is withdrawn", async () => {
    const user = await newUser("Once");
    const used = await invite(user.id);
    const { finish } = await enrol(used);
    await expect(finish()).rejects.toMatchObject(over);
    await expect(enrol(used)).rejects.toMatchObject(over);
    const late = await invite((await newUser("Late")).id);
    broker.advance(601);
    await expect(browser().enrolment({ body: { secret: late.secret } })).rejects.toMatchObject(over);
    await expect(enrol(late)).rejects.toMatchObject(over);
    await signOperatorsIn();
    const other = await newUser("Twice");
    const [earlier, later] = [await invite(other.id), await invite(other.id)];
    await expect(enrol(earlier)).rejects.toMatchObject(over);
    const [row] = (await operator.operatorEnrolments({})).body;
    const { body } = await operator.withdrawEnrolment({ params: { id: row?.id ?? "" } });
    expect(body.state).toBe("over");
    await expect(enrol(later)).rejects.toMatchObject(over);
  });

  it("makes one device, however many finish at once", async () => {
    const user = await newUser("Race");
    const link = await invite(user.id);
    const tries = await Promise.allSettled([enrol(link), enrol(link), enrol(link)]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const rows = await broker.sql`
      select from broker.passkeys k join broker.people p on p.id = k.person_id where p.user_id = ${user.id}`;
    expect(rows).toHaveLength(1);
  });

  it("ends the session that the browser had", async () => {
    const old = await broker.signIn("payer");
    const { cookie } = await enrol(await invite((await newUser("Rotated")).id), { cookie: old });
    expect(cookie).not.toBe(old);
    await expect(browser(old).me({})).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("is not used up by a browser in which an operator is signed in, which the audit keeps", async () => {
    const link = await invite((await newUser("Guarded")).id);
    const clerk = await anotherOperator(broker, "clerk");
    await expect(enrol(link, { cookie: clerk.cookie })).rejects.toMatchObject({ code: "not_allowed" });
    const [record] = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where outcome = 'not_allowed' order by id desc limit 1`;
    expect(JSON.parse(record?.facts ?? "")).toEqual({ operator_id: clerk.id });
    await enrol(link);
  });

  it.each<[string, PasskeyChanges]>([
    ["made at another origin", { origin: "https://evil.example" }],
    ["made for another host", { rpId: "evil.example" }],
    ["that did not verify its person", { userVerified: false }],
  ])("keeps no passkey %s, and may be tried again", async (_, changes) => {
    const link = await invite((await newUser("Again")).id);
    await expect(enrol(link, { changes })).rejects.toMatchObject({ code: "passkey_refused" });
    await enrol(link);
  });

  it("is made by clerks and admins, for users that there are", async () => {
    const [viewer, clerk] = [await anotherOperator(broker, "viewer"), await anotherOperator(broker, "clerk")];
    const body = { user_id: broker.ben.id };
    await expect(viewer.client.createEnrolment({ body })).rejects.toMatchObject({ code: "not_allowed" });
    await expect(clerk.client.createEnrolment({ body: { user_id: v7() } })).rejects.toMatchObject({
      code: "user_not_found",
    });
    expect((await clerk.client.createEnrolment({ body })).body).toMatchObject({ code_by: "operator", state: "ready" });
    expect((await viewer.client.operatorEnrolments({})).body[0]).toMatchObject({ name: "Ben", state: "ready" });
    const params = { id: v7() };
    await expect(viewer.client.withdrawEnrolment({ params })).rejects.toMatchObject({ code: "not_allowed" });
    await expect(clerk.client.withdrawEnrolment({ params })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the code of a link", () => {
  it("ends it when five are wrong, however many are tried at once", async () => {
    const link = await invite((await newUser("Guessed")).id);
    const guess = { ...link, code: wrong(link.code) };
    broker.advance(60);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => browser().startEnrolment({ body: guess })),
    );
    const codes = answers.map((answer) => (answer.status === "rejected" ? answer.reason.code : "accepted"));
    expect(codes.filter((code) => code === "enrolment_code_wrong")).toHaveLength(5);
    expect(codes.filter((code) => code === "enrolment_not_found")).toHaveLength(15);
    await expect(enrol(link)).rejects.toMatchObject(over);
  });

  it("says how many tries are left, and is looked at again at the end", async () => {
    const link = await invite((await newUser("Mistyped")).id);
    await expect(browser().startEnrolment({ body: { ...link, code: wrong(link.code) } })).rejects.toMatchObject({
      code: "enrolment_code_wrong",
      detail: expect.stringContaining("4 tries are left"),
    });
    await expect(enrol(link, { atFinish: wrong(link.code) })).rejects.toMatchObject({ code: "enrolment_code_wrong" });
    expect((await browser().enrolment({ body: { secret: link.secret } })).body.tries_left).toBe(3);
    await enrol(link);
  });
});

describe("a device that is enrolled anew", () => {
  it("reads at once and may not pay for a day, and an older one sees and refuses it", async () => {
    const user = await newUser("Owner");
    const owner = await enrol(await invite(user.id));
    const link = await invite(user.id);
    expect((await browser().enrolment({ body: { secret: link.secret } })).body.delayed).toBe(true);
    const stranger = await enrol(link);
    expect(stranger.options.excludeCredentials).toMatchObject([{ id: owner.passkey.credentialId }]);
    const from = new Date(stranger.body.may_pay_from ?? 0).getTime() - broker.options.clock().getTime();
    expect(Math.round(from / 3_600_000)).toBe(24);
    expect((await stranger.client.me({})).body).toMatchObject({ may_pay_from: stranger.body.may_pay_from });
    expect((await owner.client.me({})).body.new_devices).toBe(1);
    const tooNew = { code: "device_too_new" };
    await expect(remove(stranger, await deviceId(owner))).rejects.toMatchObject(tooNew);
    await expect(inviteOwn(stranger)).rejects.toMatchObject(tooNew);
    await remove(owner, await deviceId(stranger));
    await expect(stranger.client.me({})).rejects.toMatchObject({ code: "unauthorized" });
    const { options } = (await browser().startSignIn({})).body;
    const credential = stranger.passkey.assert(options);
    await expect(browser().signIn({ body: { credential } })).rejects.toMatchObject({ code: "passkey_refused" });
    expect((await owner.client.me({})).body.new_devices).toBe(0);
  });

  it("may pay once the entity's time is over, and take itself away before", async () => {
    await broker.sql`update broker.entity_rules set new_device_hours = 1`;
    const user = await newUser("Waits");
    await enrol(await invite(user.id));
    const later = await enrol(await invite(user.id));
    broker.advance(3_601);
    expect((await later.client.me({})).body).not.toHaveProperty("may_pay_from");
    await signOperatorsIn();
    const third = await enrol(await invite(user.id));
    const own = await remove(third, await deviceId(third));
    expect(own.headers.get("set-cookie")).toContain("Max-Age=0");
    await broker.sql`update broker.entity_rules set new_device_hours = 24`;
  });

  it("takes two operators above the entity's level of quota: the one who made the link is not the second", async () => {
    await broker.sql`update broker.entity_rules set two_operators_above = 10000000`;
    const user = await newUser("Rich");
    const first = await invite(user.id);
    expect((await browser().enrolment({ body: { secret: first.secret } })).body).toMatchObject({
      delayed: false,
      waiting: true,
    });
    const [waiting] = (await operator.operatorEnrolments({})).body;
    await second.client.agreeToEnrolment({ params: { id: waiting?.id ?? "" } });
    await enrol(first);
    const link = await invite(user.id);
    const [row] = (await operator.operatorEnrolments({})).body;
    expect(row).toMatchObject({ state: "waiting", delayed: true });
    expect((await browser().enrolment({ body: { secret: link.secret } })).body.waiting).toBe(true);
    await expect(enrol(link)).rejects.toMatchObject({ code: "enrolment_waiting" });
    const params = { id: row?.id ?? "" };
    await expect(operator.agreeToEnrolment({ params })).rejects.toMatchObject({ code: "not_allowed" });
    const viewer = await anotherOperator(broker, "viewer");
    await expect(viewer.client.agreeToEnrolment({ params })).rejects.toMatchObject({ code: "not_allowed" });
    expect((await second.client.agreeToEnrolment({ params })).body.state).toBe("ready");
    expect((await second.client.agreeToEnrolment({ params })).body.state).toBe("ready");
    const kept = await broker.sql<{ outcome: string }[]>`
      select outcome from broker.audit_records
      where action = 'agree to enrolment' and subject = ${params.id} and outcome <> 'not_allowed' order by id`;
    expect(kept.map(({ outcome }) => outcome)).toEqual(["agreed", "unchanged"]);
    await enrol(link);
    await expect(second.client.agreeToEnrolment({ params })).rejects.toMatchObject(over);
    await broker.sql`update broker.entity_rules set two_operators_above = 50000000`;
    await invite(user.id);
    const [single] = (await operator.operatorEnrolments({})).body;
    expect(single).toMatchObject({ state: "ready" });
    const needless = second.client.agreeToEnrolment({ params: { id: single?.id ?? "" } });
    await expect(needless).rejects.toMatchObject({ code: "not_allowed" });
    await broker.sql`update broker.entity_rules set two_operators_above = null`;
  });
});

describe("a device that the person's own invites", () => {
  it("may pay at once; the last one that may stays, and a removed one takes its links along", async () => {
    const first = await enrol(await invite((await newUser("Two devices")).id));
    await expect(remove(first, await deviceId(first))).rejects.toMatchObject({ code: "last_device" });
    const second = await enrol(await inviteOwn(first));
    expect(second.body).toEqual({ signed_in: true });
    const open = await inviteOwn(second);
    const renamed = await first.client.renameDevice({
      params: { id: await deviceId(second) },
      body: { name: "Tablet" },
    });
    expect(renamed.body).toMatchObject({ name: "Tablet", current: false });
    const [told] = (await first.client.myAccountChanges({})).body;
    expect(told).toMatchObject({ kind: "device_renamed", here: true });
    await expect(remove(first, await deviceId(second))).rejects.toMatchObject({ code: "device_in_first_day" });
    await passFirstDay();
    await remove(first, await deviceId(second));
    await expect(enrol(open)).rejects.toMatchObject(over);
    await expect(second.client.me({})).rejects.toMatchObject({ code: "unauthorized" });
    await expect(remove(first, await deviceId(first))).rejects.toMatchObject({ code: "last_device" });
    const stranger = await enrol(await invite((await newUser("Stranger")).id));
    const params = { id: await deviceId(first) };
    await expect(remove(stranger, params.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(stranger.client.renameDevice({ params, body: { name: "Mine" } })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

it("neither the log nor the database holds a secret or a code of any link, and the audit holds no name", async () => {
  expect(keys.length).toBeGreaterThan(40);
  expect(logged.length).toBeGreaterThan(0);
  const written = `${logged.join("\n")}${await brokerDump(broker)}`;
  for (const key of keys) expect(written).not.toMatch(new RegExp(`(?<![\\w-])${key}(?![\\w-])`));
  const records = await broker.sql<{ facts: string }[]>`select facts from broker.audit_records`;
  expect(JSON.stringify(records)).not.toMatch(/Lucía|Stranger|Phone|Tablet/);
});
