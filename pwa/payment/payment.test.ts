import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client.ts";
import { type Approval, personContract } from "../../src/contract/broker.ts";
import type { PasskeyAnswer } from "../passkey/passkey-answer.ts";
import { Approving } from "./approving.ts";
import { type Attempt, AttemptStore } from "./attempt-store.ts";
import { Payment } from "./payment.ts";

const SCAN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const REFERENCE = "7K3M9QXT2V4FW";

/** What the network does to one request: delivers it, loses it on the way, or loses the answer to a page of a proxy. */
type Weather = "fair" | "request lost" | "answer lost" | "answer replaced";

/** A broker as the contract promises it, with a network that loses what it is told to lose. */
class FlakyBroker {
  readonly approvals = new Map<string, { key: string; state: Approval["state"]; amount: number }>();
  payments = 0;
  readonly #weather: Weather[];
  readonly #staticCode: boolean;
  /** How the person approves, and what the broker says to the passkeys that come, one after the other. */
  readonly method: Approval["method"];
  readonly refusals: string[];

  constructor(
    weather: readonly Weather[],
    {
      staticCode = false,
      method = "button",
      refusals = [],
    }: Partial<Pick<FlakyBroker, "method" | "refusals">> & { staticCode?: boolean } = {},
  ) {
    this.#weather = [...weather];
    this.#staticCode = staticCode;
    this.method = method;
    this.refusals = [...refusals];
  }

  fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const weather = this.#weather.shift() ?? "fair";
    if (weather === "request lost") throw new TypeError("Failed to fetch");
    const answer = await this.#answer(new Request(input, init));
    if (weather === "answer lost") throw new TypeError("Failed to fetch");
    if (weather === "answer replaced") return new Response("<h1>Bad gateway</h1>", { status: 502 });
    return answer;
  };

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body = request.method === "POST" ? ((await request.json()) as { amount?: number }) : {};
    if (path === "/v1/scans") return Response.json(this.#scan());
    if (path === "/v1/approvals") return Response.json(this.#open(request, body.amount), { status: 201 });
    const id = path.split("/")[3] ?? "";
    const kept = this.approvals.get(id);
    if (kept === undefined) return Response.json({ code: "not_found" }, { status: 404 });
    const code = path.endsWith("/confirm") && kept.state === "open" ? this.refusals.shift() : undefined;
    if (code !== undefined) return Response.json({ code }, { status: 403 });
    if (path.endsWith("/confirm") && kept.state === "open") {
      kept.state = "approved";
      this.payments++;
    }
    return Response.json(this.#approval(id));
  }

  #scan(): object {
    const amount = this.#staticCode ? {} : { amount: 25_000, reference: REFERENCE };
    const fixed = { payload: "000201", payee: "Lola", payee_id: SCAN_ID, currency: "COP", check_code: "A7K3" };
    return { kind: this.#staticCode ? "static" : "dynamic", state: "unpaid", own: false, ...fixed, ...amount };
  }

  #open(request: Request, amount = 25_000): object {
    const key = request.headers.get("idempotency-key") ?? "";
    const known = [...this.approvals].find(([, approval]) => approval.key === key);
    if (known !== undefined) return this.#approval(known[0]);
    const id = `01890a5d-ac96-774b-bcce-${String(this.approvals.size).padStart(12, "0")}`;
    this.approvals.set(id, { key, state: "open", amount });
    return this.#approval(id);
  }

  #approval(id: string): object {
    const { state = "expired", amount = 0 } = this.approvals.get(id) ?? {};
    const fixed = { payee: "Lola", first_time_payee: true, currency: "COP", expires_in: 120, method: this.method };
    return { id, state, amount, reference: REFERENCE, operation: "pay", options: {}, ...fixed };
  }
}

/** What a tab keeps. */
function tabStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  };
}

function aTab(broker: FlakyBroker, passkeys: PasskeyAnswer[] = []) {
  const api = createClient(personContract, { baseUrl: "http://app.test", fetch: broker.fetch });
  const attempts = new AttemptStore(tabStorage());
  let ids = 0;
  let key: string | undefined;
  let sent: Attempt | undefined;
  const options = {
    api,
    attempts,
    newId: () => `key-${++ids}`,
    wait: () => Promise.resolve(),
    askPasskey: () => Promise.resolve(passkeys.shift() ?? { credential: { id: "passkey" } }),
    onAttempt: (kept: string) => {
      key = kept;
    },
    onSend: async (_: Approval, attempt: Attempt) => {
      sent = attempt;
    },
    onSettled: (settled: string) => {
      if (sent?.key === settled) sent = undefined;
    },
  };
  return {
    newPayment: () => new Payment(options, { payload: "000201" }),
    newApproving: () => new Approving(options),
    keptKey: () => key,
    /** The key of what was sent and is not certain yet. */
    sentKey: () => sent?.key,
  };
}

describe("one payment against the broker", () => {
  test("scan, open, pay: one payment", async () => {
    const broker = new FlakyBroker([]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test("two presses at once are one payment", async () => {
    const broker = new FlakyBroker([]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await Promise.all([payment.pay(), payment.pay()]);
    expect(broker.payments).toBe(1);
  });

  test("an answer that is lost is asked for, not paid again", async () => {
    const broker = new FlakyBroker(["fair", "fair", "answer lost", "request lost", "answer lost"]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test("a request that never arrived leaves the Pay button as it was", async () => {
    const broker = new FlakyBroker(["fair", "fair", "request lost"]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "ready", fault: "not_sent" });
    await payment.pay();
    expect(broker.payments).toBe(1);
  });

  test("a reload after Pay shows the outcome of that attempt", async () => {
    const broker = new FlakyBroker([]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    await before.pay();
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
    expect(broker.approvals.size).toBe(1);
  });

  test("a reload while the approval was being opened finds the same approval", async () => {
    const broker = new FlakyBroker(["fair", "answer lost"]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    expect(before.state).toMatchObject({ phase: "stopped", problem: { failure: "no_connection" } });
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state.phase).toBe("ready");
    expect(broker.approvals.size).toBe(1);
  });

  test("a code without an amount is opened with the one that was typed, also after a reload", async () => {
    const broker = new FlakyBroker(["fair", "request lost"], { staticCode: true });
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    expect(before.state.phase).toBe("amount");
    const key = tab.keptKey();
    await before.giveAmount(7_000);
    // A draft that two tabs have opened is one attempt, whoever gives its amount.
    expect(tab.keptKey()).toBe(key);
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state).toMatchObject({ phase: "ready", approval: { amount: 7_000 } });
  });

  test("a passkey that does not come, or is not taken, pays nothing and leaves the Pay button", async () => {
    const broker = new FlakyBroker([], { method: "passkey", refusals: ["passkey_refused"] });
    const payment = aTab(broker, [{ fault: "cancelled" }]).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "ready", fault: "cancelled" });
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "ready", fault: "refused" });
    expect(broker.payments).toBe(0);
    await Promise.all([payment.pay(), payment.pay()]);
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test.each([
    ["device_too_new", "device_too_new"],
    ["limit_exceeded", "over_limit"],
  ])("a confirmation that is refused as %s stops with a sentence of its own", async (code, failure) => {
    const payment = aTab(new FlakyBroker([], { refusals: [code] })).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toEqual({ phase: "stopped", problem: { failure } });
  });

  test("a transfer or refund goes on after a reload only with what the broker has stored", async () => {
    const broker = new FlakyBroker(["request lost", "fair", "answer lost"]);
    const tab = aTab(broker);
    const first = tab.newApproving();
    await first.openNew({ handle: "lu_1", amount: 7_000 });
    expect(first.state).toMatchObject({ phase: "stopped", problem: { failure: "no_connection" } });
    expect(await tab.newApproving().goOn(tab.keptKey())).toBe(false);
    const second = tab.newApproving();
    await second.openNew({ handle: "lu_1", amount: 7_000 });
    const paying = second.pay();
    second.end();
    await paying;
    expect(tab.sentKey()).toBe(tab.keptKey());
    const after = tab.newApproving();
    expect(await after.goOn(tab.keptKey())).toBe(true);
    expect(after.state).toMatchObject({ phase: "paid", approval: { amount: 7_000 } });
    expect(tab.sentKey()).toBeUndefined();
    expect(broker.payments).toBe(1);
  });

  test("whatever the network loses, nothing is paid twice and the screen never contradicts the broker", async () => {
    const fates = ["fair", "request lost", "answer lost", "answer replaced"] as const;
    const weather = fc.array(fc.constantFrom<Weather>(...fates), { maxLength: 10 });
    const method = fc.constantFrom("button", "passkey");
    const step = fc.constantFrom("pay", "ask", "reload");
    await fc.assert(
      fc.asyncProperty(weather, method, fc.array(step, { minLength: 1, maxLength: 6 }), async (lost, by, steps) => {
        const broker = new FlakyBroker(lost, { method: by });
        const tab = aTab(broker);
        let payment = tab.newPayment();
        await payment.resume(undefined);
        for (const next of steps) {
          if (next === "pay") await payment.pay();
          if (next === "ask") await payment.askAgain();
          if (next !== "reload") continue;
          payment = tab.newPayment();
          await payment.resume(tab.keptKey());
        }
        expect(broker.payments).toBeLessThanOrEqual(1);
        if (payment.state.phase === "paid") expect(broker.payments).toBe(1);
        if (payment.state.phase === "ready") expect(broker.payments).toBe(0);
        expect(tab.sentKey() === undefined || payment.state.phase === "asking").toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
