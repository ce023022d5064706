import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../../src/cupo-webhooks.ts";
import { asOperator, brokerDump, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { commandSettings } from "../../../../test/support/command-settings.ts";
import { browserAt, enrolBy } from "../../../../test/support/enrolled-device.ts";
import { anotherOperator } from "../../../../test/support/second-operator.ts";
import { aUser } from "../../../../test/support/service.ts";
import { aReceiver, signatureFault, type WebhookReceiver } from "../../../../test/support/webhook-receiver.ts";
import { operatorCommand } from "../../../commands/operator-command.ts";
import { createBroker } from "../../create-broker.ts";

const allowed = ["127.0.0.0/8"];
const PATIENTLY = { timeout: 10_000 };

let broker: TestBroker;
let operator: OperatorClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await aReceiver();
  broker = await aBroker({ merchantWebhooks: { allowed, pollMs: 20 } });
});
afterAll(async () => {
  await broker.stop();
  await receiver.down();
});
beforeEach(async () => {
  operator = await asOperator(broker);
  receiver.received.length = 0;
  receiver.accepted.length = 0;
  receiver.answer = () => 204;
});

async function command(...args: readonly string[]) {
  const { key, clock, random, newId, upstream: serviceAccess } = broker.options;
  const fixture = { ...commandSettings, publicOrigin: ORIGIN, webhookPrivate: allowed };
  return operatorCommand.plan(args)({ ...fixture, sql: broker.sql, key, clock, random, newId, serviceAccess });
}

async function setEndpoint(url = receiver.url): Promise<string> {
  return ((await command("codes", "--url", url)).data as { readonly secret: string }).secret;
}

async function made() {
  const { id: user_id } = await aUser(broker.entity, { name: "Nueva" });
  const { link = "", ...enrolment } = (await operator.createEnrolment({ body: { user_id } })).body;
  return { ...enrolment, user_id, secret: link.split("#")[1] ?? "" };
}

const toldAt = async (id: string) =>
  (await operator.operatorEnrolments({})).body.find((one) => one.id === id)?.code_told_at ?? null;

/** Attempts of an enrolment's code whose outcome is written down, and is no acceptance. */
async function failures(id: string): Promise<number> {
  const [row] = await broker.sql<{ attempts: number }[]>`
    select attempts from broker.enrolment_codes
    where enrolment_id = ${id} and leased_until is null and last_error is not null`;
  return row?.attempts ?? 0;
}

describe("without an endpoint and without a second operator", () => {
  it("nothing is made over HTTP, which says how to go on, and the command line may begin", async () => {
    const refusal = { code: "not_allowed", detail: expect.stringMatching(/-- codes --url .*-- create.*-- invite/) };
    await expect(made()).rejects.toMatchObject(refusal);
    await broker.sql`insert into broker.people (id, role, operator_role, display_name, created_at)
      values (gen_random_uuid(), 'operator', 'clerk', 'Never signed in', now())`;
    await expect(made()).rejects.toMatchObject(refusal);
    expect(await broker.sql`select from broker.enrolments`).toHaveLength(0);
    expect((await command("codes")).text).toContain("a second operator is shown the code");
    expect((await command("invite", "--user-id", broker.ben.id)).data).toMatchObject({
      link: expect.stringContaining("#en_"),
      code: expect.stringMatching(/^\d{6}$/),
    });
  });
});

describe("an endpoint for codes", () => {
  it("is told each code once, signed, for its user, and no operator is", async () => {
    const secret = await setEndpoint();
    const second = await anotherOperator(broker, "admin");
    const { id, user_id, ...enrolment } = await made();
    expect(enrolment).toMatchObject({ code_by: "backend", code_told_at: null, state: "ready" });
    expect(JSON.stringify(enrolment)).not.toMatch(/"code":/);
    await expect.poll(() => receiver.accepted.length, PATIENTLY).toBe(1);
    const [message] = receiver.accepted;
    if (message === undefined) throw new Error("nothing arrived");
    expect(signatureFault(secret, message)).toBeUndefined();
    const event = verifyWebhook({ ...message, secrets: secret, now: () => broker.options.clock().getTime() });
    expect(event).toMatchObject({ type: "enrolment.code", id, data: { enrolment_id: id, user_id } });
    const { code } = message.event.data as { readonly code: string };
    await expect.poll(() => toldAt(id), PATIENTLY).not.toBeNull();
    for (const client of [operator, second.client]) {
      await expect(client.showEnrolmentCode({ params: { id } })).rejects.toMatchObject({ code: "not_allowed" });
    }
    expect(await brokerDump(broker)).not.toMatch(new RegExp(`(?<![\\w-])${code}(?![\\w-])`));
    const [kept] = await broker.sql`select sealed_code from broker.enrolment_codes where enrolment_id = ${id}`;
    expect(kept).toEqual({ sealed_code: null });
    expect((await enrolBy(broker, { secret: enrolment.secret, code })).body.signed_in).toBe(true);
    expect(receiver.received).toHaveLength(1);
  });

  it("that does not answer well is tried again while the link lives, and no longer", async () => {
    await setEndpoint();
    receiver.answer = () => 500;
    const { id } = await made();
    await expect.poll(() => failures(id), PATIENTLY).toBe(1);
    broker.advance(10);
    await expect.poll(() => failures(id), PATIENTLY).toBe(2);
    expect(receiver.received.map((message) => message.id)).toEqual([id, id]);
    broker.advance(600);
    receiver.answer = () => 204;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.received).toHaveLength(2);
    operator = await asOperator(broker);
    expect(await toldAt(id)).toBeNull();
  });

  it("gets nothing that was meant for the one before, nor of a link that was withdrawn", async () => {
    await setEndpoint();
    receiver.answer = () => 500;
    const [first, second] = [await made(), await made()];
    await expect.poll(() => failures(first.id), PATIENTLY).toBeGreaterThan(0);
    await operator.withdrawEnrolment({ params: { id: second.id } });
    const other = await aReceiver();
    await setEndpoint(other.url);
    broker.advance(30);
    const third = await made();
    await expect.poll(() => other.accepted.map(({ id }) => id), PATIENTLY).toEqual([third.id]);
    receiver.received.length = 0;
    broker.advance(60);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([receiver.received, other.received.length]).toEqual([[], 1]);
    expect([await toldAt(first.id), await toldAt(second.id)]).toEqual([null, null]);
    await other.down();
  });

  it("is sent one message by several processes", async () => {
    await setEndpoint();
    const beside = createBroker(broker.options);
    beside.startMerchantWebhooks();
    const { id } = await made();
    await expect.poll(() => toldAt(id), PATIENTLY).not.toBeNull();
    await beside.close();
    expect(receiver.received).toHaveLength(1);
  });

  it("is taken away by the command, and must be an address that messages may go to", async () => {
    await setEndpoint();
    expect((await command("codes")).data).toMatchObject({ url: receiver.url });
    expect((await command("codes", "--off")).data).toEqual({ url: null });
    expect(await made()).toMatchObject({ code_by: "operator" });
    await expect(command("codes", "--url", "ftp://a.example")).rejects.toThrow("--url must start with https");
    const outcomes = await broker.sql<{ outcome: string }[]>`
      select outcome from broker.audit_records where action = 'set code endpoint' order by id desc limit 2`;
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["ended", "set"]);
  });
});

describe("the code of a link, without an endpoint", () => {
  it("is shown to one other operator who works, once, and to nobody of whom it is not", async () => {
    await command("codes", "--off");
    const [viewer, one, other] = await Promise.all(
      (["viewer", "clerk", "clerk"] as const).map((role) => anotherOperator(broker, role)),
    );
    if (viewer === undefined || one === undefined || other === undefined) throw new Error("no operators");
    const { id, secret } = await made();
    const show = ({ client }: { readonly client: OperatorClient }) => client.showEnrolmentCode({ params: { id } });
    for (const client of [operator, viewer.client]) {
      await expect(show({ client })).rejects.toMatchObject({ code: "not_allowed" });
    }
    const answers = await Promise.allSettled([show(one), show(other), show(one), show(other)]);
    const [shown, ...more] = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.body] : []));
    expect(more).toEqual([]);
    expect(shown).toMatchObject({ id, code: expect.stringMatching(/^\d{6}$/), code_told_at: expect.any(String) });
    for (const listed of (await one.client.operatorEnrolments({})).body) expect(listed).not.toHaveProperty("code");
    const records = await broker.sql<{ outcome: string }[]>`
      select outcome from broker.audit_records where action = 'show enrolment code' and subject = ${id}`;
    expect(records.filter(({ outcome }) => outcome === "shown")).toHaveLength(1);
    await enrolBy(broker, { secret, code: shown?.code ?? "" });
    await expect(show(one)).rejects.toMatchObject({ code: "enrolment_not_found" });
  });

  it("of a link that the command line made was told there", async () => {
    const second = await anotherOperator(broker, "clerk");
    const { enrolment_id: id } = (await command("invite", "--user-id", broker.ben.id)).data as Record<string, string>;
    const shown = second.client.showEnrolmentCode({ params: { id: id ?? "" } });
    await expect(shown).rejects.toMatchObject({ code: "not_allowed" });
  });
});

describe("guessing codes", () => {
  const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

  async function guess(secret: string, times: number): Promise<void> {
    const link = { secret, code: wrong("") };
    for (let count = 0; count < times; count += 1) {
      await expect(browserAt(broker).startEnrolment({ body: link })).rejects.toMatchObject({
        code: "enrolment_code_wrong",
      });
    }
  }

  it("gains nothing by more links: ten wrong codes of a user are a day's, whoever makes the links", async () => {
    const { id: user_id } = await aUser(broker.entity, { name: "Guessed" });
    const second = await anotherOperator(broker, "clerk");
    const clients = [operator, second.client];
    for (const client of clients) {
      const { link = "" } = (await client.createEnrolment({ body: { user_id } })).body;
      await guess(link.split("#")[1] ?? "", 5);
      broker.advance(60);
    }
    for (const client of clients) {
      const refused = client.createEnrolment({ body: { user_id } });
      await expect(refused).rejects.toMatchObject({ code: "too_many_requests", retryAfter: expect.any(Number) });
    }
    expect((await command("invite", "--user-id", user_id)).data).toMatchObject({ delayed: false });
    broker.advance(86_400);
    operator = await asOperator(broker);
    await operator.createEnrolment({ body: { user_id } });
  });

  it("is bounded for an operator over all users, at whatever pace", async () => {
    broker.advance(86_400);
    const clerk = await anotherOperator(broker, "clerk");
    const users = await Promise.all(Array.from({ length: 21 }, () => aUser(broker.entity, { name: "One of many" })));
    for (const { id: user_id } of users.slice(0, 20)) {
      await clerk.client.createEnrolment({ body: { user_id } });
      broker.advance(3);
    }
    const last = () => clerk.client.createEnrolment({ body: { user_id: users[20]?.id ?? "" } });
    await expect(last()).rejects.toMatchObject({ code: "too_many_requests" });
    // Links that end without a wrong code give their tries back.
    broker.advance(570);
    expect((await last()).status).toBe(201);
  });
});
