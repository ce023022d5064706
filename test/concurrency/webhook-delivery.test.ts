import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aUser } from "../support/service.ts";
import { times } from "../support/service-calls.ts";
import {
  aWebhookFixture,
  expectEachOnce,
  type Hook,
  untilDelivered,
  type WebhookFixture,
  WITHIN,
} from "../support/webhook-fixture.ts";
import { type Received, signatureFault, timesById } from "../support/webhook-receiver.ts";

let fixture: WebhookFixture;
beforeEach(async () => {
  fixture = await aWebhookFixture();
});
afterEach(() => fixture.stop());

describe("a receiver that is", () => {
  it("down gets everything when it is up again, once each", async () => {
    const hook = await fixture.aHook();
    await hook.receiver.down();
    const users = await fixture.happen(30);
    await expect.poll(async () => (await hook.deliveries()).every(({ attempts }) => attempts > 0), WITHIN).toBe(true);
    for (const delivery of await hook.deliveries()) {
      expect(delivery).toMatchObject({ state: "waiting", last_error: "not_connected" });
    }
    await hook.receiver.start();
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
  });

  it("answering 500 gets the same webhook-id again, newly dated and signed, until it accepts", async () => {
    const hook = await fixture.aHook();
    let refusals = 0;
    hook.receiver.answer = () => (refusals++ < 2 ? 500 : 200);
    await fixture.happen(1);
    await expect.poll(() => hook.receiver.received.length, WITHIN).toBe(1);
    await expect.poll(async () => (await hook.deliveries())[0]?.last_status, WITHIN).toBe(500);
    for (const attempt of [2, 3]) {
      fixture.service.advance(20);
      await expect.poll(() => hook.receiver.received.length, WITHIN).toBe(attempt);
      await expect.poll(async () => (await hook.deliveries())[0]?.last_attempt_at, WITHIN).toBeDefined();
    }
    await untilDelivered(fixture, hook);
    const { received } = hook.receiver;
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const [stamps, signatures] = ["webhook-timestamp", "webhook-signature"].map(
      (name) => new Set(received.map(({ headers }) => headers[name])).size,
    );
    expect([stamps, signatures]).toEqual([3, 3]);
    for (const message of received) expect(signatureFault(hook.secret, message)).toBeUndefined();
    expect(signatureFault(hook.secret, { ...(received[0] as Received), body: "{}" })).toContain(
      "No matching signature",
    );
  });

  it.each([301, 302, 307, 308])("redirecting with %d is not followed, and tried again where it is", async (status) => {
    const [hook, elsewhere] = [await fixture.aHook(), await fixture.aHook()];
    await elsewhere.put({ enabled: false });
    hook.receiver.answer = () => ({ status, location: elsewhere.receiver.url });
    const users = await fixture.happen(1);
    await expect
      .poll(async () => (await hook.deliveries())[0], WITHIN)
      .toMatchObject({ state: "waiting", last_error: "redirected", last_status: status });
    hook.receiver.answer = () => 204;
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
    expect(elsewhere.receiver.received).toEqual([]);
  });

  it("gone (410) is disabled; what waits goes out when it is enabled again, nothing of meanwhile", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 500;
    const users = await fixture.happen(3);
    await expect.poll(async () => (await hook.deliveries()).every(({ attempts }) => attempts === 1), WITHIN).toBe(true);
    hook.receiver.answer = () => 410;
    fixture.letPausesPass();
    await expect
      .poll(async () => (await fixture.entity.client.webhooks({ query: {} })).body[0], WITHIN)
      .toMatchObject({ enabled: false, disabled_reason: "gone" });
    fixture.letPausesPass();
    const asked = hook.receiver.received.length;
    await fixture.happen(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(hook.receiver.received).toHaveLength(asked);
    const [row] = await fixture.service
      .sql`select sends_events from service.entities where id = ${fixture.entity.entityId}`;
    expect(row).toEqual({ sends_events: false });
    hook.receiver.answer = () => 204;
    expect((await hook.put()).enabled).toBe(true);
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
  });

  it("silent delays no other receiver and no payment", async () => {
    const [hook, other] = [await fixture.aHook(), await fixture.aHook()];
    const payer = await aUser(fixture.entity, { quota: 1_000 });
    const payee = await aUser(fixture.entity);
    await untilDelivered(fixture, hook);
    await untilDelivered(fixture, other);
    let waiting = 0;
    hook.receiver.answer = () => {
      waiting += 1;
      return "silence";
    };
    const users = await fixture.happen(20);
    await expect.poll(() => waiting, WITHIN).toBeGreaterThan(0);
    const body = { amount: 1, from_user_id: payer.id, to_user_id: payee.id };
    const paid = await Promise.all(times(200, () => fixture.entity.client.createTransaction({ body })));
    expect(paid.filter(({ body: { status } }) => status === "approved")).toHaveLength(200);
    await expect.poll(() => other.receiver.accepted.length, WITHIN).toBe(users.length + 2);
    // The silent receiver is far from through its 20 messages, which are sent one after the other.
    expect((await hook.deliveries()).filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(5);
    const errors = async () => (await hook.deliveries()).map(({ last_error }) => last_error);
    await expect.poll(errors, WITHIN).toContain("timed_out");
    hook.receiver.answer = () => 204;
    await untilDelivered(fixture, hook);
    for (const count of timesById(hook.receiver.accepted).values()) expect(count).toBe(1);
  });

  it("answering nothing but a body without end is read no further, and counts by its status", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => "endless";
    await fixture.happen(1);
    await untilDelivered(fixture, hook);
    expect(hook.receiver.received).toHaveLength(1);
    const bytes = hook.receiver.endlessBytes();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hook.receiver.endlessBytes()).toBe(bytes);
  });

  it("never up again is given up after 72 hours, and sent again when somebody asks", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 503;
    const [user] = await fixture.happen(1);
    for (let hours = 0; hours < 90; hours += 1) {
      fixture.service.advance(3_600);
      await new Promise((resolve) => setTimeout(resolve, 45));
    }
    await expect.poll(() => hook.states(), WITHIN).toEqual(["failed"]);
    const [failed] = await hook.deliveries();
    expect(failed?.attempts).toBeGreaterThan(10);
    hook.receiver.answer = () => 204;
    fixture.letPausesPass();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(hook.receiver.accepted).toEqual([]);
    const again = { endpoint_name: hook.name, event_id: failed?.event_id ?? "" };
    await fixture.entity.client.redeliverWebhook({ body: again });
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, [user ?? ""]);
  });
});

describe("a rotated secret", () => {
  it("signs beside the one before for a day, and alone after that", async () => {
    const hook = await fixture.aHook();
    const { secret = "" } = await hook.put({ rotate_secret: true });
    await fixture.happen(1);
    await untilDelivered(fixture, hook);
    const [both] = hook.receiver.accepted;
    expect(both?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const each of [hook.secret, secret]) expect(signatureFault(each, both as never)).toBeUndefined();
    fixture.service.advance(86_401);
    await fixture.happen(1);
    await untilDelivered(fixture, hook);
    expect(hook.receiver.accepted.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });
});

describe("an address", () => {
  /** Points the hook elsewhere past all checks: as if a name had begun to resolve there after it was put. */
  async function pointAt(hook: Hook, url: string): Promise<void> {
    await fixture.service.sql`update service.webhook_endpoints set url = ${url} where name = ${hook.name}`;
  }
  const lastError = async (hook: Hook) => (await hook.deliveries())[0]?.last_error;

  it("on this machine is not connected to unless it is allowed, by number or by a name that leads there", async () => {
    await fixture.stop();
    fixture = await aWebhookFixture(["10.99.0.0/16"]);
    const hook = await fixture.aHookAt("https://shop.example/");
    const { port } = new URL(hook.receiver.url);
    for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "localhost"]) {
      for (const protocol of ["http", "https"]) {
        await pointAt(hook, `${protocol}://${host}:${port}/events`);
        await fixture.happen(1);
        await expect.poll(() => lastError(hook), WITHIN).toBe("address_refused");
      }
    }
    expect(hook.receiver.connections()).toBe(0);
  });

  it("that says https and speaks http, and a name that does not exist, are tried again", async () => {
    const hook = await fixture.aHook();
    await pointAt(hook, hook.receiver.url.replace("http:", "https:"));
    await fixture.happen(1);
    await expect.poll(() => lastError(hook), WITHIN).toBe("tls_failed");
    await pointAt(hook, "https://nowhere.invalid/");
    await fixture.happen(1);
    await expect.poll(() => lastError(hook), WITHIN).toMatch(/^(?:not_resolved|timed_out)$/);
    await pointAt(hook, hook.receiver.url);
    await untilDelivered(fixture, hook);
  });
});
