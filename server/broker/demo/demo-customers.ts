/**
 * A visitor of the demo shop, in place of an account there: the random `state` of the request for consent that awaits
 * the app's answer, the id of the grant that the visitor gave, and whether the visitor last came back without one.
 */
export interface DemoCustomer {
  /** The state that the customer was sent to the app with; an answer counts with it alone, and once. */
  asked?: string | undefined;
  /** The id of the grant that the app gave. */
  grant?: string | undefined;
  /** The customer came back without a grant. */
  refused?: boolean | undefined;
}

/** A shop keeps its customers in its own database; the demo's are forgotten when it ends, the oldest first. */
const MAX_CUSTOMERS = 1_000;
const COOKIE = "cupo-demo-customer";
const TOKEN_BYTES = 24;

/** The demo shop's customers, each recognised by a cookie of the shop's own. */
export interface DemoCustomers {
  /** The customer whose cookie this is; undefined for a browser that the shop does not know. */
  find(cookies: string | undefined): DemoCustomer | undefined;
  /** Makes a customer, with the `Set-Cookie` by which the browser is known again. */
  make(): { readonly customer: DemoCustomer; readonly cookie: string };
  /** A text that nobody can guess. */
  newState(): string;
}

/** Makes the demo shop's list of customers, in memory. */
export function createDemoCustomers(random: (length: number) => Uint8Array): DemoCustomers {
  const known = new Map<string, DemoCustomer>();
  const newState = (): string => Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  return {
    newState,
    find(cookies = "") {
      const [, token = ""] = new RegExp(`(?:^|;)\\s*${COOKIE}=([\\w-]+)`).exec(cookies) ?? [];
      return known.get(token);
    },
    make() {
      const [token, customer]: [string, DemoCustomer] = [newState(), {}];
      known.set(token, customer);
      const [oldest] = known.keys();
      if (known.size > MAX_CUSTOMERS && oldest !== undefined) known.delete(oldest);
      // Lax: the browser that comes back from the app must be known.
      return { customer, cookie: `${COOKIE}=${token}; Path=/demo; HttpOnly; SameSite=Lax` };
    },
  };
}
