import type { PasskeyAnswer } from "../../pwa/passkey/passkey-answer.ts";
import { ApprovalFlow } from "../../pwa/payment/approval-flow.ts";
import { PaymentFlow } from "../../pwa/payment/payment-flow.ts";
import { AttemptStore, type PaymentAttempt } from "../../pwa/store/attempt-store.ts";
import { createClient } from "../../src/client.ts";
import { type Approval, personContract, type Scan } from "../../src/contract/broker/broker.ts";

const SCAN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const REFERENCE = "7K3M9QXT2V4FW";

/**
 * The network's behaviour for a request: it delivers it, loses it, holds it until nobody waits any more, loses the
 * answer, or replaces the answer by the page of a proxy.
 */
export type NetworkFault = "fair" | "request lost" | "request late" | "answer lost" | "answer replaced";

/** A broker that keeps to the contract, behind a network with the faults that a test names. */
export class FlakyBroker {
  readonly approvals = new Map<string, { key: string; state: Approval["state"]; amount: number }>();
  /** The paths of all requests, in order. */
  readonly asked: string[] = [];
  payments = 0;
  /** True if another principal is signed in, who finds no approval. */
  isAnothers = false;
  readonly #late: Request[] = [];
  readonly #weather: NetworkFault[];
  readonly #staticCode: boolean;
  /** How the person approves; `refusals` are the broker's answers to the next confirmations, one after the other. */
  readonly method: Approval["method"];
  readonly refusals: string[];
  /** The answer to an approval that is to be opened, instead of the approval. */
  readonly opening: string | undefined;
  /** The state of the code that is scanned. */
  readonly scanned: Partial<Scan>;

  constructor(
    weather: readonly NetworkFault[],
    {
      staticCode = false,
      method = "button",
      refusals = [],
      opening,
      scanned = {},
    }: Partial<Pick<FlakyBroker, "method" | "refusals" | "opening" | "scanned">> & { staticCode?: boolean } = {},
  ) {
    this.opening = opening;
    this.scanned = scanned;
    this.#weather = [...weather];
    this.#staticCode = staticCode;
    this.method = method;
    this.refusals = [...refusals];
  }

  fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const weather = this.#weather.shift() ?? "fair";
    const request = new Request(input, init);
    if (weather === "request late") this.#late.push(request);
    if (weather === "request lost" || weather === "request late") throw new TypeError("Failed to fetch");
    const answer = await this.#answer(request);
    if (weather === "answer lost") throw new TypeError("Failed to fetch");
    if (weather === "answer replaced") return new Response("<h1>Bad gateway</h1>", { status: 502 });
    return answer;
  };

  /** Lets the requests that were held on their way arrive. */
  async arrive(): Promise<void> {
    for (const request of this.#late.splice(0)) await this.#answer(request);
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    this.asked.push(path);
    const body = JSON.parse((await request.text()) || "{}") as { amount?: number };
    if (path === "/v1/scans") return Response.json(this.#scan());
    if (path === "/v1/approvals" && this.opening) return Response.json({ code: this.opening }, { status: 409 });
    if (path === "/v1/approvals") return Response.json(this.#open(request, body.amount), { status: 201 });
    const id = path.split("/")[3] ?? "";
    const kept = this.approvals.get(id);
    if (kept === undefined || this.isAnothers) return Response.json({ code: "not_found" }, { status: 404 });
    if (path.endsWith("/confirm")) return this.#confirm(id, kept);
    if (path.endsWith("/withdraw") && kept.state === "open") kept.state = "withdrawn";
    return Response.json(this.#approval(id));
  }

  #confirm(id: string, kept: { state: Approval["state"] }): Response {
    if (kept.state === "withdrawn") return Response.json({ code: "approval_expired" }, { status: 409 });
    const code = kept.state === "open" ? this.refusals.shift() : undefined;
    if (code !== undefined) return Response.json({ code }, { status: 403 });
    if (kept.state === "open") this.payments++;
    if (kept.state === "open") kept.state = "approved";
    return Response.json(this.#approval(id));
  }

  #scan(): object {
    const amount = this.#staticCode ? {} : { amount: 25_000, reference: REFERENCE };
    const fixed = { payload: "000201", payee: "Lola", payee_id: SCAN_ID, currency: "COP", check_code: "A7K3" };
    return {
      kind: this.#staticCode ? "static" : "dynamic",
      state: "unpaid",
      own: false,
      ...fixed,
      ...amount,
      ...this.scanned,
    };
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

/** The session storage of a tab, in memory. */
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

/** A tab of the app against that broker, with all that it keeps. */
export function aTab(broker: FlakyBroker, passkeys: PasskeyAnswer[] = [], payload = "000201") {
  const api = createClient(personContract, { baseUrl: "http://app.test", fetch: broker.fetch });
  const attempts = new AttemptStore(tabStorage());
  let ids = 0;
  let key: string | undefined;
  let sent: PaymentAttempt | undefined;
  const options = {
    api,
    attempts,
    newId: () => `key-${++ids}`,
    wait: () => Promise.resolve(),
    askPasskey: () => Promise.resolve(passkeys.shift() ?? { credential: { id: "passkey" } }),
    onAttempt: (kept: string) => {
      key = kept;
    },
    onSend: async (_: Approval, attempt: PaymentAttempt) => {
      sent = attempt;
    },
    onSettled: (settled: string) => {
      if (sent?.key === settled) sent = undefined;
    },
    isSamePerson: async () => !broker.isAnothers,
  };
  return {
    newPayment: () => new PaymentFlow(options, { payload }, "co.qp"),
    /** A flow whose reading of the outcome may be another. */
    newApproving: (approval = api.approval) => new ApprovalFlow({ ...options, api: { ...api, approval } }),
    keptKey: () => key,
    /** The key of the attempt that was sent and is not certain yet. */
    sentKey: () => sent?.key,
  };
}
