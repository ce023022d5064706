import { setTimeout as sleep } from "node:timers/promises";
import { type Client, NoAnswerError } from "../../src/client.ts";
import type { ServiceContract } from "../../src/contract/service/service.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";

const PAUSE_MS = 20;

/** Payments under way, each sent with one key until it is answered. */
export interface PaymentLoad {
  /** The ids of the payments that were answered. */
  readonly answered: ReadonlySet<string>;
  /** How many requests were answered 503, or not at all. */
  readonly failed: number;
  /** Failures of any other kind. */
  readonly faults: readonly unknown[];
  /** The longest time without an answered payment, so far. */
  readonly longestPauseMs: number;
  /** Begins no further payment; resolves when those under way are answered. */
  end(): Promise<void>;
}

function isAway(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ApiError && error.status === 503);
}

/** One payment after another by each of several clients of a service, with a key each. */
export function payUntilAnswered(
  client: Client<ServiceContract>,
  { name, clients, from, to }: { name: string; clients: number; from: string; to: string },
): PaymentLoad {
  const answered = new Set<string>();
  const faults: unknown[] = [];
  let failed = 0;
  let longestPauseMs = 0;
  let answeredAtMs = performance.now();
  let isEnding = false;
  async function pay(idempotencyKey: string): Promise<void> {
    const body = { amount: 1, from_user_id: from, to_user_id: to };
    for (;;) {
      try {
        const { id } = (await client.createTransaction({ body }, { idempotencyKey })).body;
        answered.add(id);
        longestPauseMs = Math.max(longestPauseMs, performance.now() - answeredAtMs);
        answeredAtMs = performance.now();
        return;
      } catch (error) {
        if (isAway(error)) failed += 1;
        else faults.push(error);
        await sleep(PAUSE_MS);
        // A fault may last: whoever asked sees it.
        if (isEnding && faults.length > 0) return;
      }
    }
  }
  const running = Array.from({ length: clients }, async (_, index) => {
    for (let number = 0; !isEnding; number += 1) await pay(`${name} ${index} ${number}`);
  });
  return {
    answered,
    faults,
    get longestPauseMs() {
      return longestPauseMs;
    },
    get failed() {
      return failed;
    },
    async end() {
      isEnding = true;
      await Promise.all(running);
    },
  };
}
