import type { DeliveryError } from "../../src/contract/service/webhooks.ts";

/**
 * Milliseconds for which a process holds a delivery that it claimed. An attempt and the writing of its outcome take
 * less: a process that still holds it after that is gone.
 */
export const LEASE_MS = 60_000;

/** A receiver of webhook messages, by its address. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
}

/** A delivery that this process holds until its lease runs out. */
export interface Claim {
  readonly endpointId: string;
  readonly eventId: string;
  /** Counted with this attempt: decides which outcome counts when another process took the delivery over. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  readonly body: string;
}

/**
 * The outcome of one attempt at a claimed delivery, as it is recorded: the new state, and the time of the next attempt.
 */
export interface Recorded extends Pick<Claim, "endpointId" | "eventId" | "attempts"> {
  readonly state: "waiting" | "delivered" | "failed";
  readonly nextAttemptAt: Date;
  readonly status: number | null;
  readonly error: DeliveryError | null;
  readonly at: Date;
}

/** How many deliveries of an endpoint a process takes, and which not. */
export interface ClaimRequest {
  readonly endpointId: string;
  readonly most: number;
  /** Events that it is sending already: the leases of a process that was suspended have expired. */
  readonly underWay: readonly string[];
}

/** An outbox in a database: webhook deliveries and their endpoints, shared by several processes. */
export interface DeliveryStore<E extends Endpoint = Endpoint> {
  /** The endpoints that have a delivery due now. */
  dueEndpoints(now: Date): Promise<readonly E[]>;
  /**
   * Records the outcomes of claims, and then claims deliveries that are due, the longest waiting first, so that no
   * other process sends them: all in one transaction. An outcome of a claim that another process has taken over since
   * is not recorded.
   */
  exchange(outcomes: readonly Recorded[], requests: readonly ClaimRequest[], now: Date): Promise<readonly Claim[]>;
  /** The secrets that sign what is sent there now. */
  secretsOf(endpoint: E): Promise<readonly string[]>;
  /** After an answer 410 its deliveries wait; without this, a 410 is a refusal as any other. */
  disableGone?(endpoint: E, now: Date): Promise<void>;
}
