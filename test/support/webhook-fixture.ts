import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { createSealer } from "../../server/database/sealer.ts";
import { deliveryStore } from "../../server/service/webhooks/delivery-store.ts";
import { type Deliverer, startDeliverer } from "../../server/webhooks/deliverer.ts";
import { createWebhookNetwork } from "../../server/webhooks/webhook-network.ts";
import { createClient } from "../../src/client.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import type { WebhookDelivery } from "../../src/contract/service/webhooks.ts";
import { localNames } from "./local-names.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "./service.ts";
import { silentLog } from "./silent-log.ts";
import { aReceiver, type Received, timesById, type WebhookReceiver } from "./webhook-receiver.ts";

/** Longer than a lease, and than the first pauses: whatever waits is due after it. */
const LEASE_OVER_SECONDS = 61;
/** Busy machines answer within it (a later answer is rightly asked for again), and tests wait for it to pass. */
const TIMEOUT_MS = 5_000;
const POLL_MS = 30;

/** A deliverer with connections of its own: another process beside the service. */
interface OtherProcess {
  readonly sql: Sql;
  readonly deliverer: Deliverer;
  stop(): Promise<void>;
}

/** A service whose webhooks may reach this machine, and an entity whose webhooks report the users that it makes. */
export interface WebhookFixture {
  readonly service: TestService;
  readonly entity: TestEntity;
  /** A webhook of the entity with a real receiver behind it. */
  aHook(): Promise<Hook>;
  /** The same, with another address at first. */
  aHookAt(url: string): Promise<Hook>;
  /** Makes events; returns the ids of the users that they report. */
  happen(count: number): Promise<string[]>;
  /** Lets pauses and leases pass. */
  letPausesPass(): void;
  /** Lets a pause pass, unless an attempt is under way or due: its lease must not pass. */
  letIdlePass(): Promise<void>;
  anotherProcess(limits?: { readonly timeoutMs: number }): OtherProcess;
  stop(): Promise<void>;
}

/** A webhook and its receiver. */
export interface Hook {
  readonly name: string;
  readonly secret: string;
  readonly receiver: WebhookReceiver;
  deliveries(): Promise<WebhookDelivery[]>;
  /** The states of its deliveries, each once. */
  states(): Promise<string[]>;
  put(
    body?: object,
  ): Promise<{ readonly enabled: boolean; readonly disabled_reason?: string; readonly secret?: string }>;
}

async function makeHook(entity: TestEntity, receivers: WebhookReceiver[], url?: string): Promise<Hook> {
  const receiver = await aReceiver();
  receivers.push(receiver);
  const name = `hook-${receivers.length}`;
  const put = async (body: object = {}) => {
    const settings = { url: url ?? receiver.url, event_types: ["user.created" as const], ...body };
    return (await entity.client.putWebhook({ params: { name }, body: settings })).body as Awaited<
      ReturnType<Hook["put"]>
    >;
  };
  const { secret = "" } = await put();
  const deliveries = async () =>
    (await entity.client.webhookDeliveries({ query: { "endpoint-name": name, limit: "500" } })).body;
  return {
    ...{ name, secret, receiver, put, deliveries },
    states: async () => [...new Set((await deliveries()).map(({ state }) => state))].sort(),
  };
}

/** Another process's deliverer on the service's database. */
function startOther(
  { databaseUrl, key, clock }: TestService,
  stops: (() => Promise<void>)[],
  timeoutMs: number,
): OtherProcess {
  const sql = connect(databaseUrl, { max: 1, applicationName: "cupo other process" });
  const random = (length: number) => randomBytes(length);
  const network = createWebhookNetwork({ allowed: ["127.0.0.0/8"], find: localNames });
  const sealer = createSealer(key, random);
  const limits = { timeoutMs, pollMs: POLL_MS };
  const deliverer = startDeliverer({
    ...limits,
    store: deliveryStore(sql, sealer),
    network,
    clock,
    random,
    log: silentLog,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= deliverer.stop().then(() => sql.end());
    return stopped;
  };
  stops.push(stop);
  return { sql, deliverer, stop };
}

/** An entity whose client asks for a token each time: days pass here. */
async function anEntity(service: TestService): Promise<TestEntity> {
  const entity = await service.anEntity();
  const headers = async () => ({ authorization: `Bearer ${await entity.accessToken()}` });
  return { ...entity, client: createClient(serviceContract, { baseUrl: BASE_URL, fetch: service.fetch, headers }) };
}

/** Starts a fixture whose processes wait `timeoutMs` for an answer; call `stop` when done. */
export async function aWebhookFixture(
  allowed: readonly string[] = ["127.0.0.0/8"],
  timeoutMs = TIMEOUT_MS,
): Promise<WebhookFixture> {
  const service = await aService({ webhooks: { allowed, timeoutMs, pollMs: POLL_MS } });
  const entity = await anEntity(service);
  const receivers: WebhookReceiver[] = [];
  const stops: (() => Promise<void>)[] = [];
  return {
    service,
    entity,
    aHook: () => makeHook(entity, receivers),
    aHookAt: (url) => makeHook(entity, receivers, url),
    happen: async (count) => {
      const users = await Promise.all(Array.from({ length: count }, () => aUser(entity)));
      return users.map(({ id }) => id);
    },
    letPausesPass: () => service.advance(LEASE_OVER_SECONDS),
    letIdlePass: () =>
      service.sql.begin(async (tx) => {
        // The lock keeps an attempt from beginning between the check and the step.
        await tx`lock table service.webhook_deliveries in exclusive mode`;
        const busy = await tx`
          select from service.webhook_deliveries where state = 'waiting'
            and (leased_until > ${service.clock()} or next_attempt_at <= ${service.clock()}) limit 1`;
        if (busy.length === 0) service.advance(STEP_SECONDS);
      }),
    anotherProcess: (limits = { timeoutMs }) => startOther(service, stops, limits.timeoutMs),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      for (const receiver of receivers) await receiver.down();
      await service.stop();
    },
  };
}

/** The timeout of every wait, also on a busy machine. */
export const WITHIN = Object.freeze({ timeout: 15_000 });

/** Much less than a lease: a lease that begins just now is still held after it. */
const STEP_SECONDS = 20;

/** Lets pauses pass, but no lease of an attempt under way, until every delivery of the hook was accepted. */
export async function untilDelivered(fixture: WebhookFixture, hook: Hook): Promise<void> {
  await expect
    .poll(async () => {
      const states = await hook.states();
      if (states.join() !== "delivered") await fixture.letIdlePass();
      return states;
    }, WITHIN)
    .toEqual(["delivered"]);
}

/** Returns the ids of the users that messages report, sorted. */
export function usersOf(messages: readonly Received[]): string[] {
  return messages.map(({ event }) => String(event.data.id)).sort();
}

/** Expects that every event was accepted exactly once. */
export function expectEachOnce({ receiver }: Hook, users: readonly string[]): void {
  expect(usersOf(receiver.accepted)).toEqual([...users].sort());
  expect([...timesById(receiver.accepted).values()].every((count) => count === 1)).toBe(true);
}
