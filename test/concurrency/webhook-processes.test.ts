import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { times } from "../support/service-calls.ts";
import {
  aWebhookFixture,
  expectEachOnce,
  untilDelivered,
  usersOf,
  type WebhookFixture,
  WITHIN,
} from "../support/webhook-fixture.ts";
import { timesById } from "../support/webhook-receiver.ts";

/** A timeout of answers that even a busy machine meets. */
const PATIENT_MS = 20_000;

let fixture: WebhookFixture;
afterEach(() => fixture.stop());

describe("several processes that wait for every answer", () => {
  beforeEach(async () => {
    fixture = await aWebhookFixture(undefined, PATIENT_MS);
  });

  it("share the work and send nothing that was accepted again", async () => {
    const hook = await fixture.aHook();
    for (const _ of times(3, () => 0)) fixture.anotherProcess();
    let unwilling = 0;
    hook.receiver.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return ++unwilling % 7 === 0 ? 500 : 204;
    };
    const users = [];
    for (const _ of times(6, () => 0)) users.push(...(await fixture.happen(40)));
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
  });
});

describe("several processes", () => {
  beforeEach(async () => {
    fixture = await aWebhookFixture();
  });

  it("killed between the receiver's answer and the record of it: sent again by another, with the same id", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 500;
    const users = await fixture.happen(3);
    await expect.poll(async () => (await hook.deliveries()).every(({ attempts }) => attempts === 1), WITHIN).toBe(true);
    await fixture.service.close();
    const killed = fixture.anotherProcess();
    hook.receiver.answer = async () => {
      // The process loses its database connection before it learns that the message was accepted.
      await killed.sql.end({ timeout: 0 });
      return 204;
    };
    fixture.letPausesPass();
    await expect.poll(() => hook.receiver.accepted.length, WITHIN).toBeGreaterThan(0);
    const first = [...hook.receiver.accepted];
    expect((await hook.states()).includes("delivered")).toBe(false);
    hook.receiver.answer = () => 204;
    fixture.anotherProcess();
    await new Promise((resolve) => setTimeout(resolve, 200));
    // While the lease lasts the process may still be sending: no other does.
    const held = new Set(first.map(({ id }) => id));
    expect(hook.receiver.accepted.filter(({ id }) => held.has(id))).toHaveLength(first.length);
    fixture.letPausesPass();
    await untilDelivered(fixture, hook);
    const counts = timesById(hook.receiver.accepted);
    for (const { id } of first) expect(counts.get(id)).toBe(2);
    expect([...new Set(usersOf(hook.receiver.accepted))]).toEqual([...users].sort());
  });

  it("losing their connections in the middle of attempts remember what was accepted, and go on", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 500;
    const users = await fixture.happen(5);
    await expect
      .poll(async () => (await hook.deliveries()).every((each) => each.last_status === 500), WITHIN)
      .toBe(true);
    await fixture.service.close();
    fixture.anotherProcess();
    hook.receiver.answer = async () => {
      await fixture.service.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'cupo other process' and datname = current_database()`;
      return 204;
    };
    fixture.service.advance(20);
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
  });

  it("before a database that answers nothing still stop, and what they would have sent is sent later", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 500;
    const users = await fixture.happen(1);
    await expect.poll(async () => (await hook.deliveries())[0]?.last_status, WITHIN).toBe(500);
    await fixture.service.close();
    const stuck = fixture.anotherProcess();
    const begun = performance.now();
    await fixture.service.sql.begin(async (tx) => {
      await tx`lock table service.webhook_deliveries in access exclusive mode`;
      await new Promise((resolve) => setTimeout(resolve, 200));
      await stuck.deliverer.stop();
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
    hook.receiver.answer = () => 204;
    fixture.anotherProcess();
    await untilDelivered(fixture, hook);
    expectEachOnce(hook, users);
  });

  it("stopping in the middle of an attempt gives it back: the next one sends it at once", async () => {
    const hook = await fixture.aHook();
    hook.receiver.answer = () => 500;
    const users = await fixture.happen(1);
    await expect.poll(async () => (await hook.deliveries())[0]?.last_status, WITHIN).toBe(500);
    await fixture.service.close();
    const leaving = fixture.anotherProcess({ timeoutMs: 60_000 });
    hook.receiver.answer = () => "silence";
    fixture.letPausesPass();
    await expect.poll(() => hook.receiver.received.length, WITHIN).toBe(2);
    const begun = performance.now();
    await leaving.stop();
    expect(performance.now() - begun).toBeLessThan(4_000);
    hook.receiver.answer = () => 204;
    fixture.anotherProcess();
    await expect.poll(() => usersOf(hook.receiver.accepted), WITHIN).toEqual(users);
    expect(new Set(hook.receiver.received.map(({ id }) => id)).size).toBe(1);
  });
});
