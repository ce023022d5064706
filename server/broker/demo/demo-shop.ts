import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import { ApiError, type Fault } from "../../../src/contract/shared/errors.ts";
import type { DemoCustomer } from "./demo-customers.ts";
import { demoMerchantKeys } from "./demo-keys.ts";

/** The price of every order in the demo shop. */
const PRICE = 25_000;
const MAX_ORDER_LENGTH = 60;
/** A shop keeps its orders in its own database; the demo's are forgotten when it ends, the oldest first. */
const MAX_ORDERS = 1_000;

/** The demo's till, and the limits within which it may sell, whatever its page says. */
const TILL = Object.freeze({ till: "Caja 1", max_amount: 100_000, max_total: 500_000 });

/** The demo shop's backend, which like any merchant's calls the broker only by its HTTP API. */
export interface DemoShop {
  /** Starts the payment session of an order, or finds it. */
  startSession(order: string | undefined): Promise<object>;
  /** Reports the payment state of an order. */
  orderState(order: string | undefined): Promise<{ readonly state: string }>;
  /** Starts a session in which the shop's till sells top-ups. */
  startTill(): Promise<object>;
  /** Exchanges the code that a customer's browser brought back for the grant, which the shop keeps. */
  keepGrant(customer: DemoCustomer, code: string): Promise<void>;
  /** Starts a session that shows a customer's quota, by the grant that the shop keeps. */
  startQuota(customer: DemoCustomer): Promise<object>;
}

function textOf(value: string | undefined, parameter: string): string {
  if (value !== undefined && value.length > 0 && value.length <= MAX_ORDER_LENGTH) return value;
  const fault: Fault = { parameter, detail: `must have 1 to ${MAX_ORDER_LENGTH} characters` };
  throw new ApiError("invalid_request", { detail: `Name the ${parameter}.`, faults: [fault] });
}

/** Makes the demo shop's backend; it remembers its orders in memory. */
export function createDemoShop(options: {
  readonly key: Uint8Array;
  readonly publicOrigin: string;
  /** Calls the broker. */
  readonly fetch: typeof fetch;
}): DemoShop {
  // The shop's pages come from the broker itself: whatever this machine is called there, they ask their own origin.
  const { key, publicOrigin: origin, fetch } = options;
  const { serverKey } = demoMerchantKeys(key);
  const broker = createClient(merchantContract, {
    baseUrl: origin,
    fetch,
    headers: () => ({ authorization: `Bearer ${serverKey}` }),
  });
  const sessions = new Map<string, string>();

  return {
    async startSession(text) {
      const order = textOf(text, "order");
      const { body } = await broker.createSession({ body: { kind: "pay", amount: PRICE, order, origin } });
      sessions.delete(order);
      sessions.set(order, body.session_id);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_ORDERS && oldest !== undefined) sessions.delete(oldest);
      return body;
    },
    async orderState(text) {
      const sessionId = sessions.get(textOf(text, "order"));
      if (sessionId === undefined) throw new ApiError("not_found", { detail: "The shop has no such order." });
      const { body } = await broker.sessionStatus({ params: { session_id: sessionId } });
      return { state: body.state };
    },
    async startTill() {
      return (await broker.createSession({ body: { kind: "recharge", ...TILL, origin } })).body;
    },
    async keepGrant(customer, code) {
      const { body } = await broker.createSession({ body: { kind: "quota", grant: code, origin } });
      customer.grant = body.grant;
    },
    async startQuota(customer) {
      const { grant } = customer;
      if (grant === undefined) throw new ApiError("not_allowed", { detail: "This customer has granted nothing." });
      try {
        return (await broker.createSession({ body: { kind: "quota", grant, origin } })).body;
      } catch (error) {
        // Taken back in the app: the customer's page offers to connect again.
        if (error instanceof ApiError && error.code === "not_allowed") customer.grant = undefined;
        throw error;
      }
    },
  };
}
