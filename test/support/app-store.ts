import { vi } from "vitest";
import { Store } from "../../pwa/store/store.ts";
import type { ListQuery } from "../../pwa/store/sync-list.ts";
import { type Answer, NoAnswerError } from "../../src/client.ts";
import type { Me, Movement } from "../../src/contract/broker/broker.ts";

/** The moment at which the store's clock begins. */
export const NOW = Date.UTC(2026, 2, 31, 19, 32);

/** A movement of that amount; an even one was received. */
export function movement(number: number, change: Partial<Movement> = {}): Movement {
  return {
    id: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, "0")}`,
    reference: `REF${number}`,
    kind: "qr",
    status: "approved",
    direction: number % 2 === 0 ? "received" : "sent",
    counterparty: "Lola",
    counterparty_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    amount: number,
    currency: "COP",
    created_at: new Date(NOW - 86_400_000 + number * 1_000).toISOString(),
    ...change,
  };
}

function answer(body: readonly Movement[], headers: { nextCursor?: string; syncToken?: string } = {}) {
  const absent = { nextCursor: undefined, syncToken: undefined, etag: undefined, requestId: undefined };
  const made = { status: 200, body: [...body], ...absent, ...headers, replayed: false, headers: new Headers() };
  return made satisfies Answer<Movement[]>;
}

/** A broker whose history is a list, newest first, with the changes since each token. */
class Broker {
  movements: Movement[] = [];
  changed: Movement[] = [];
  failure: Error | undefined;
  readonly asked: ListQuery[] = [];
  tokens = true;
  /** Runs between two pages. */
  between: () => void = () => undefined;

  async history({ limit, cursor, "changed-since": since }: ListQuery): Promise<Answer<Movement[]>> {
    this.asked.push({ limit, ...(cursor && { cursor }), ...(since && { "changed-since": since }) });
    if (this.asked.length > 1) this.between();
    if (this.failure !== undefined) throw this.failure;
    const list = since === undefined ? this.movements : this.changed;
    const from = Number(cursor ?? 0);
    const end = from + Number(limit);
    const token = this.tokens ? { syncToken: `token-${this.asked.length}` } : {};
    return answer(list.slice(from, end), { ...(end < list.length && { nextCursor: String(end) }), ...token });
  }
}

class Person extends EventTarget {
  me: Me | undefined;
  personId: string | undefined = "ana";
  online = true;

  async refresh(): Promise<Me> {
    if (!this.online) throw new NoAnswerError("no answer");
    this.me = { id: "ana", name: "Ana", currency: "COP" } as Me;
    this.dispatchEvent(new Event("change"));
    return this.me;
  }

  remember(me: Me): void {
    this.me = me;
  }
}

/** A store in memory with its broker, its person, its clock, and the amounts that it shows. */
export function aStore() {
  const [broker, session, onPayment] = [new Broker(), new Person(), vi.fn()];
  const clock = { now: NOW };
  const store = new Store({
    api: { myHistory: ({ query }) => broker.history(query as ListQuery), myTransfers: async () => answer([]) },
    session,
    now: () => clock.now,
    locks: undefined,
    onPayment,
  });
  const amounts = async (): Promise<readonly number[]> => (await store.movements()).map(({ amount }) => amount);
  return { broker, session, store, amounts, onPayment, clock };
}

/** The numbers from `count` down to 1. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => count - index);
