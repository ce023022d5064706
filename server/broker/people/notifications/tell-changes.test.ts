import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBroker, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aBrowser, aPushService, type Pushed } from "../../../../test/support/push-service.ts";

const PROMPT_MS = 2_000;
/** The part of the app that lists what was changed. */
const CHANGES = "/profile#changes";

let broker: TestBroker;
let push: Awaited<ReturnType<typeof aPushService>>;
let ana: PersonClient;

beforeAll(async () => {
  push = await aPushService();
  broker = await aBroker({ pushNetwork: { allowed: ["127.0.0.0/8"] } });
});
beforeEach(async () => {
  push.pushed.length = 0;
  ana = await broker.as("payer");
});
afterAll(async () => {
  await broker.stop();
  push.stop();
});

describe("changes that guard an account", () => {
  it("are told to the person's other browsers, also to those that are signed out by them", async () => {
    const [other, own] = [aBrowser(), aBrowser()];
    await ana.startMyPush({ body: { endpoint: push.endpoint, keys: other.keys, language: "en" } });
    const second = await broker.as("payer");
    await second.startMyPush({ body: { endpoint: `${push.endpoint}2`, keys: own.keys, language: "en" } });
    await second.putMyLimits({ body: { payment: 4_000, proof: { demo: true } } });
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(1);
    expect(other.read(push.pushed[0] as Pushed)).toMatchObject({ title: "Your limits were changed" });
    await second.freezeMe({});
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(2);
    expect(other.read(push.pushed[1] as Pushed)).toMatchObject({ title: "Your account is frozen", path: CHANGES });
    expect(JSON.stringify(other.read(push.pushed[0] as Pushed))).not.toContain("4000");
    await broker.sql`delete from broker.freezes`;
    const { body } = await (await broker.as("payer")).myAccountChanges({});
    expect(body.map(({ kind, here }) => [kind, here])).toEqual([
      ["frozen", false],
      ["limits_changed", false],
    ]);
  });

  it("leave no record, and tell nobody, where nothing is changed", async () => {
    const count = async () => (await broker.sql`select from broker.account_changes`).length;
    const [merchant] = await broker.sql<{ id: string }[]>`select id from broker.merchants`;
    const body = { merchant_id: merchant?.id ?? "", proof: { demo: true } } as const;
    const params = { id: (await ana.createGrant({ body })).body.id };
    await ana.revokeGrant({ params });
    const before = await count();
    for (let time = 0; time < 3; time += 1) {
      await ana.putMyLimits({ body: {} });
      await ana.revokeGrant({ params });
    }
    expect(await count()).toBe(before);
    const often = async () => {
      for (let time = 0; time < 20; time += 1) await ana.revokeGrant({ params });
    };
    await expect(often()).rejects.toMatchObject({ code: "too_many_requests" });
  });

  it("are listed by kind, so that many of one hide none of another", async () => {
    await broker.sql`
      insert into broker.account_changes (id, person_id, kind, made_at, told_at)
      select gen_random_uuid(), id, case n when 0 then 'device_added' else 'limits_changed' end,
        now() - interval '1 hour' + n * interval '1 second', now()
      from broker.people, generate_series(0, 60) as n where demo_name = 'other'`;
    const { body } = await (await broker.as("other")).myAccountChanges({});
    expect(body.map(({ kind }) => kind)).toEqual([...Array(20).fill("limits_changed"), "device_added"]);
  });

  it("are told by the running broker where a command made them", async () => {
    const browser = aBrowser();
    await ana.startMyPush({ body: { endpoint: push.endpoint, keys: browser.keys, language: "pt" } });
    await broker.sql`
      insert into broker.account_changes (id, person_id, kind, made_at)
      select gen_random_uuid(), id, 'device_invited', now() - interval '10 seconds' from broker.people
      where demo_name = 'payer'`;
    await broker.reconcilePending();
    await expect.poll(() => push.pushed.length, { timeout: PROMPT_MS, interval: 10 }).toBe(1);
    await broker.reconcilePending();
    expect(push.pushed.map((message) => browser.read(message))).toMatchObject([{ path: CHANGES }]);
  });
});
