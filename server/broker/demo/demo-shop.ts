import { createClient } from "../../../src/client.ts";
import { merchantContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import { demoMerchantKeys } from "./demo-keys.ts";

/** The price of every order in the demo shop. */
const PRICE = 25_000;
const MAX_ORDER_LENGTH = 60;
/** A shop keeps its orders in its own database; the demo's are forgotten when it ends, the oldest first. */
const MAX_ORDERS = 1_000;

/** What the demo shop's backend does, as any merchant's would: it knows the broker by its HTTP API alone. */
export interface DemoShop {
  /** Starts the payment session of an order, or finds it. */
  startSession(order: string | undefined): Promise<object>;
  /** Whether an order was paid. */
  orderState(order: string | undefined): Promise<{ readonly state: string }>;
}

function orderOf(order: string | undefined): string {
  if (order !== undefined && order.length > 0 && order.length <= MAX_ORDER_LENGTH) return order;
  const detail = `must have 1 to ${MAX_ORDER_LENGTH} characters`;
  throw new ApiError("invalid_request", { detail: "Name the order.", faults: [{ parameter: "order", detail }] });
}

/** Makes the demo shop's backend. */
export function createDemoShop(options: {
  readonly key: Uint8Array;
  readonly publicOrigin: string;
  /** Calls the broker. */
  readonly fetch: typeof fetch;
}): DemoShop {
  const { key, publicOrigin, fetch } = options;
  const { serverKey } = demoMerchantKeys(key);
  const broker = createClient(merchantContract, {
    baseUrl: publicOrigin,
    fetch,
    headers: () => ({ authorization: `Bearer ${serverKey}` }),
  });
  const sessions = new Map<string, string>();

  return {
    async startSession(text) {
      const order = orderOf(text);
      // The shop's page comes from the broker itself: whatever this machine is called there, it asks its own origin.
      const { body } = await broker.createSession({
        body: { kind: "pay", amount: PRICE, order, origin: publicOrigin },
      });
      sessions.delete(order);
      sessions.set(order, body.session_id);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_ORDERS && oldest !== undefined) sessions.delete(oldest);
      return body;
    },
    async orderState(text) {
      const sessionId = sessions.get(orderOf(text));
      if (sessionId === undefined) throw new ApiError("not_found", { detail: "The shop has no such order." });
      const { body } = await broker.sessionStatus({ params: { session_id: sessionId } });
      return { state: body.state };
    },
  };
}
