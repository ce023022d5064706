import { setTimeout as sleep } from "node:timers/promises";
import { SealError } from "../database/sealer.ts";
import { within } from "../database/within.ts";
import type { Claim, ClaimRequest, DeliveryStore, Endpoint, Recorded } from "./delivery-store.ts";
import { nextAttempt } from "./next-attempt.ts";
import { createSender, type DeliveryOutcome, type Sender } from "./send-webhook.ts";
import { signedHeaders } from "./signed-headers.ts";
import type { WebhookNetwork } from "./webhook-network.ts";

/** The part of a logger that deliveries use. */
interface DeliveryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Options and dependencies of {@link startDeliverer}. */
export interface DelivererOptions<E extends Endpoint> {
  readonly store: DeliveryStore<E>;
  readonly network: WebhookNetwork;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly log: DeliveryLog;
  /** For one attempt. Default: 10 s. */
  readonly timeoutMs?: number;
  /** The interval of polling for due deliveries, when nothing wakes it. Default: 1 s. */
  readonly pollMs?: number;
}

/** Sends due webhook deliveries until it is stopped. */
export interface Deliverer {
  /** Polls at once: there may be something to send. */
  wake(): void;
  /** Claims nothing more; attempts under way have two seconds, and are made again by the next process. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;
const GRACE_MS = 2_000;
/** Attempts that end within this of one another are recorded together: each round costs the database a commit. */
const GATHER_MS = 5;
/** A database that hangs enforces no timeout of its own; these are ours, for a round and for the end. */
const ROUND_MS = 35_000;
const STOP_MS = 3_000;
/** Concurrent attempts to one endpoint, once it has accepted something: a slow endpoint delays no other. */
const PER_ENDPOINT = 8;
/** Concurrent attempts to all endpoints. */
const IN_ALL = 1_000;
const NOT_SIGNED: DeliveryOutcome = Object.freeze({ type: "refused", status: null, error: "not_signed" });

function hung(): Error {
  return new Error("the database did not answer in time");
}

interface Finished<E extends Endpoint> extends Recorded {
  /** The endpoint, where it said that it is gone. */
  readonly gone: E | undefined;
}

/** The secrets that sign an endpoint's messages; undefined where one does not open, which no retry would change. */
type Secrets = readonly string[] | undefined;

interface Circumstances {
  readonly now: Date;
  readonly random: (length: number) => Uint8Array;
  /** True if an endpoint that is gone is disabled, so that its deliveries wait. */
  readonly disables: boolean;
}

/** Returns the state of a delivery after an attempt. */
function finishedOf<E extends Endpoint>(
  claim: Claim,
  endpoint: E,
  outcome: DeliveryOutcome,
  { now, random, disables }: Circumstances,
): Finished<E> {
  const { endpointId, eventId, attempts, firstAttemptAt } = claim;
  const base = { endpointId, eventId, attempts, at: now, nextAttemptAt: now, status: null, error: null };
  if (outcome.type === "stopped") return { ...base, state: "waiting", gone: undefined };
  const { status } = outcome;
  if (outcome.type === "accepted") return { ...base, state: "delivered", status, gone: undefined };
  const { error } = outcome;
  // It waits for the endpoint to be enabled again.
  if (error === "gone" && disables) return { ...base, state: "waiting", status, error, gone: endpoint };
  const next = nextAttempt(firstAttemptAt, now, random);
  if (next === undefined) return { ...base, state: "failed", status, error, gone: undefined };
  return { ...base, state: "waiting", nextAttemptAt: next, status, error, gone: undefined };
}

/** One process's deliverer: a single loop asks the database, attempts run beside it. */
class DeliveryLoop<E extends Endpoint> implements Deliverer {
  readonly #options: DelivererOptions<E>;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** Events under way, by their endpoint. */
  readonly #perEndpoint = new Map<string, Set<string>>();
  /** Endpoints whose latest attempt was accepted; any other gets one at a time. */
  readonly #accepting = new Set<string>();
  readonly #finished = new Set<Finished<E>>();
  #woken = Promise.withResolvers<void>();
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(options: DelivererOptions<E>) {
    this.#options = options;
    const { network, timeoutMs = TIMEOUT_MS } = options;
    this.#sender = createSender({ network, timeoutMs });
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken.resolve();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#attempt(() => within(STOP_MS, this.#running, hung));
    const grace = setTimeout(() => this.#stopping.abort(), GRACE_MS);
    await Promise.all(this.#underWay);
    clearTimeout(grace);
    // Deliveries that a hung round still claims are sent by the process that finds their lease expired.
    this.#stopping.abort();
    await this.#attempt(() => within(STOP_MS, this.#recordLast(), hung));
    this.#sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = Promise.withResolvers<void>();
      const isDone = await this.#attempt(() => within(ROUND_MS, this.#round(), hung));
      // While the database is unreachable, a wake does not shorten the pause.
      await this.#pause(isDone ? this.#woken.promise : undefined);
      if (!this.#stopped) await sleep(GATHER_MS);
    }
  }

  async #pause(woken: Promise<void> | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.pollMs ?? POLL_MS);
    await Promise.race([promise, ...(woken === undefined ? [] : [woken])]);
    clearTimeout(timer);
  }

  /** Runs a step; a failed one is repeated by the next round, or by the process that finds the lease expired. */
  async #attempt(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
      this.#options.log.warn({ error: { name, message } }, "webhook deliveries are behind");
      return false;
    }
  }

  async #round(): Promise<void> {
    const finished = await this.#takeFinished();
    const { store, clock } = this.#options;
    const due = new Map((await store.dueEndpoints(clock())).map((endpoint) => [endpoint.id, endpoint]));
    const requests = this.#stopped ? [] : this.#requestsFor([...due.keys()]);
    const claims = await this.#exchange(finished, requests).catch(async (error: unknown) => {
      // An endpoint whose deliveries cannot be claimed keeps no outcome of others from being recorded.
      await this.#exchange(finished, []);
      throw error;
    });
    for (const [id, claimed] of Map.groupBy(claims, ({ endpointId }) => endpointId)) {
      const endpoint = due.get(id);
      if (endpoint === undefined) throw new Error(`nothing of the endpoint ${id} was asked for`);
      const secrets = this.#secretsOf(endpoint);
      for (const claim of claimed) this.#begin(claim, endpoint, secrets);
    }
  }

  /** Takes the outcomes to record, and disables the endpoints that are gone. */
  async #takeFinished(): Promise<readonly Finished<E>[]> {
    const { store, log } = this.#options;
    const finished = [...this.#finished];
    const gone = new Map(finished.flatMap(({ gone: endpoint, at }) => (endpoint ? [[endpoint, at] as const] : [])));
    for (const [endpoint, at] of gone) {
      await store.disableGone?.(endpoint, at);
      log.info({ endpoint: endpoint.id }, "webhook disabled: its receiver answers 410");
    }
    return finished;
  }

  async #exchange(finished: readonly Finished<E>[], requests: readonly ClaimRequest[]): Promise<readonly Claim[]> {
    const { store, clock, log } = this.#options;
    const claims = await store.exchange(finished, requests, clock());
    // Removed by identity, not by position: a round that hung may still end beside a later one.
    for (const each of finished) this.#finished.delete(each);
    for (const { state, endpointId, eventId, error } of finished) {
      if (state === "failed") log.warn({ endpoint: endpointId, event: eventId, error }, "webhook delivery given up");
    }
    return claims;
  }

  async #recordLast(): Promise<void> {
    await this.#exchange(await this.#takeFinished(), []);
  }

  #requestsFor(endpointIds: readonly string[]): readonly ClaimRequest[] {
    const requests: ClaimRequest[] = [];
    let room = IN_ALL - this.#underWay.size;
    const share = Math.max(1, Math.floor(room / endpointIds.length));
    for (const endpointId of endpointIds) {
      const underWay = [...(this.#perEndpoint.get(endpointId) ?? [])];
      const limit = this.#accepting.has(endpointId) ? PER_ENDPOINT : 1;
      const most = Math.min(room, share, limit - underWay.length);
      if (most > 0) requests.push({ endpointId, most, underWay });
      room -= Math.max(0, most);
    }
    return requests;
  }

  #begin(claim: Claim, endpoint: E, secrets: Promise<Secrets>): void {
    const { id } = endpoint;
    const events = this.#perEndpoint.get(id) ?? new Set<string>();
    this.#perEndpoint.set(id, events.add(claim.eventId));
    const sending = this.#attempt(() => this.#send(claim, endpoint, secrets)).then(() => {
      this.#underWay.delete(sending);
      events.delete(claim.eventId);
      if (events.size === 0) this.#perEndpoint.delete(id);
      this.wake();
    });
    this.#underWay.add(sending);
  }

  async #secretsOf(endpoint: E): Promise<Secrets> {
    const { store, log } = this.#options;
    try {
      return await store.secretsOf(endpoint);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.warn({ endpoint: endpoint.id, reason: error.message }, "a webhook's secret does not open");
      return undefined;
    }
  }

  #sendSigned({ body, eventId }: Claim, { url }: E, secrets: readonly string[]): Promise<DeliveryOutcome> {
    const headers = signedHeaders(secrets, { id: eventId, at: this.#options.clock(), body });
    return this.#sender.send({ url, headers, body }, this.#stopping.signal);
  }

  async #send(claim: Claim, endpoint: E, opening: Promise<Secrets>): Promise<void> {
    const { store, clock, random } = this.#options;
    const secrets = await opening;
    const outcome = secrets === undefined ? NOT_SIGNED : await this.#sendSigned(claim, endpoint, secrets);
    if (outcome.type === "accepted") this.#accepting.add(endpoint.id);
    else this.#accepting.delete(endpoint.id);
    const disables = store.disableGone !== undefined;
    this.#finished.add(finishedOf(claim, endpoint, outcome, { now: clock(), random, disables }));
  }
}

/** Starts to send the due deliveries of a store to their endpoints; several processes may do so from one store. */
export function startDeliverer<E extends Endpoint>(options: DelivererOptions<E>): Deliverer {
  return new DeliveryLoop(options);
}
