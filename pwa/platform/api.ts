import { type Client, createClient, NoAnswerError } from "../../src/client.ts";
import type { personContract } from "../../src/contract/broker/broker.ts";
import { demoPeople, demoSignIn } from "../../src/contract/broker/button-sign-in.ts";
import { me, myHistory, myTransfers, qrKeys, signOut } from "../../src/contract/broker/people.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Contract } from "../../src/contract/shared/operation.ts";
import { redactedCause } from "../../src/redacted-cause.ts";

/** The broker's operations for the signed-in person, one method each. */
export type Api = Client<typeof personContract>;

/** Operations that the first page calls. */
const firstRows = Object.freeze({ demoPeople, demoSignIn, me, myHistory, myTransfers, qrKeys, signOut });

/** A payment may wait for the ledger; after this the app asks for the outcome instead. */
const TIMEOUT_MS = 12_000;

/**
 * The broker's origin, the state that request headers carry, and callbacks for a session that is over, an operator's,
 * or replaced by another person's.
 */
export interface ApiOptions {
  readonly origin: string;
  /** Called for every 401 that a second request confirms, before the caller gets the error. */
  readonly onSignedOut: () => void;
  /** Called when `me` is not found, as for an operator, who has no quota. */
  readonly onOperator: () => void;
  /** True while the person is active: other requests are marked as polling, which is no activity. */
  readonly attended: () => boolean;
  /** Id of the person that this tab shows, if known. */
  readonly personId: () => string | undefined;
  /** Called when another person has signed in in this browser, before the caller gets the error. */
  readonly onAnotherPerson: () => void;
}

type Call = (...input: readonly unknown[]) => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;

/**
 * Creates the app's only client of the broker: session cookie, the header that a cross-origin page cannot send, no
 * retries. The contract's rows for the first page are bundled; the others load with the first call of one of them.
 */
export function createApi({ origin, attended, personId, ...hears }: ApiOptions): Api {
  const headers = () => {
    const person = personId();
    return {
      "X-Cupo-Request": "1",
      ...(attended() ? {} : { "X-Cupo-Polling": "1" }),
      ...(person === undefined ? {} : { "X-Cupo-Person": person }),
    };
  };
  const options = { baseUrl: origin, headers, timeoutMs: TIMEOUT_MS };
  const callsOf = (contract: Contract): Calls => createClient(contract, options) as Calls;
  const first = callsOf(firstRows);
  let all: Calls | undefined;
  const methodOf = async (name: string): Promise<Call | undefined> => {
    if (first[name] !== undefined) return first[name];
    all ??= callsOf(await loadContract());
    return all[name];
  };
  // Another tab may have signed in while the request was in flight, and replaced its session.
  const isOver = async (): Promise<boolean> => {
    const again = await first.me?.({}).catch((error: unknown) => error);
    return again instanceof ApiError && again.code === "unauthorized";
  };
  const call = async (name: string, input: readonly unknown[]): Promise<unknown> => {
    const method = await methodOf(name);
    if (method === undefined) throw new TypeError(`The contract has no row ${name}.`);
    try {
      return await method(...input);
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthorized") {
        if (!(await isOver())) throw new NoAnswerError("the session was replaced", { cause: error });
        hears.onSignedOut();
      }
      if (error instanceof ApiError && error.code === "not_found" && name === "me") hears.onOperator();
      if (error instanceof ApiError && error.code === "another_person") hears.onAnotherPerson();
      throw error;
    }
  };
  const methods = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...input: readonly unknown[]) =>
          call(String(name), input),
    },
  );
  return methods as Api;
}

/** Loads the whole contract; a script that fails to load is to callers a request without an answer. */
async function loadContract(): Promise<typeof personContract> {
  try {
    return (await import("./person-contract.ts")).personContract;
  } catch (error) {
    throw new NoAnswerError("no answer", { cause: redactedCause(error) });
  }
}
