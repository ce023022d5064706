import { createHash } from "node:crypto";

/** A refusal as the broker's problem documents name it. */
interface TillRefusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: number;
}

/** How a stubbed till behaves from now on; absent fields stay as they are. */
export interface TillChange {
  /** Every look-up is refused with this; `null` ends that. */
  readonly refuseLookUps?: TillRefusal | null;
  /** Every new sale is refused with this, before it is kept; `null` ends that. */
  readonly refuseSales?: TillRefusal | null;
  /** The outcome of sales; `running` ones are polled and settle when this changes. */
  readonly outcome?: "approved" | "rejected" | "running";
  readonly reason?: string;
  /** The next so many answers to sales are lost on their way, after the sale. */
  readonly loseAnswers?: number;
  readonly delayMs?: number;
}

/** The answer of the stub broker; `drop` cuts the connection. */
export type TillAnswer = { readonly status: number; readonly body: unknown } | TillRefusal | "drop";

interface Sale {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly currency: "COP";
  readonly created_at: string;
  readonly body: string;
}

/** The till behind a stubbed recharge session: people, sales by their idempotency key, and what was asked. */
export class StubTill {
  #change: TillChange = {};
  #lost = 0;
  #lookUps = 0;
  #handles = 0;
  readonly #tries: string[] = [];
  readonly #sales = new Map<string, Sale>();

  /** The counts that a test checks; `tries` has the key of every request to sell. */
  get seen(): object {
    return { lookUps: this.#lookUps, tries: this.#tries, sold: this.#sales.size };
  }

  /** Milliseconds that each answer takes. */
  get delayMs(): number {
    return this.#change.delayMs ?? 0;
  }

  /** The count and sum of the day's sales, as a session reports them. */
  get soldToday(): { readonly count: number; readonly amount: number } {
    const sold = this.#change.outcome === "rejected" ? [] : [...this.#sales.values()];
    return { count: sold.length, amount: sold.reduce((sum, sale) => sum + sale.amount, 0) };
  }

  /** Changes how it behaves from now on. */
  becomes(change: TillChange): void {
    this.#change = { ...this.#change, ...change };
    this.#lost = change.loseAnswers ?? this.#lost;
  }

  /** Finds everybody but the number that ends with four noughts. */
  lookUp(body: string): TillAnswer {
    this.#lookUps++;
    if (this.#change.refuseLookUps) return this.#change.refuseLookUps;
    const { phone, nit } = JSON.parse(body) as { phone?: string; nit?: string };
    if (`${phone ?? nit}`.endsWith("0000")) return { status: 404, code: "user_not_found" };
    return { status: 200, body: { handle: `h${++this.#handles}`, name: "Marta G.", expires_in: 300 } };
  }

  /** Sells once for each key. */
  sell(key: string, body: string): TillAnswer {
    this.#tries.push(key);
    const known = this.#sales.get(key);
    if (known !== undefined && known.body !== body) return { status: 422, code: "idempotency_key_reused" };
    if (known === undefined && this.#change.refuseSales) return this.#change.refuseSales;
    const sale = known ?? this.#newSale(key, body);
    this.#sales.set(key, sale);
    if (this.#lost > 0) {
      this.#lost--;
      return "drop";
    }
    return { status: 201, body: this.#shown(sale) };
  }

  /** The day's sales, newest first. */
  list(): TillAnswer {
    return { status: 200, body: [...this.#sales.values()].reverse().map((sale) => this.#shown(sale)) };
  }

  #newSale(key: string, body: string): Sale {
    const id = createHash("sha256").update(key).digest("hex").slice(0, 32);
    const { amount } = JSON.parse(body) as { amount: number };
    return { id, name: "Marta G.", amount, currency: "COP", created_at: "2026-03-02T19:32:00.000Z", body };
  }

  #shown({ body: _, ...sale }: Sale): object {
    const { outcome: state = "approved", reason } = this.#change;
    const outcome = state === "rejected" ? { reason } : state === "approved" ? { reference: "K7M39QXT2V4FW" } : {};
    return { ...sale, state, ...outcome };
  }
}
