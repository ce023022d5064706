import { bareFailure } from "../src/bare-failure.ts";
import { type Client, createClient, NoAnswerError } from "../src/client.ts";
import type { personContract } from "../src/contract/broker.ts";
import { ApiError } from "../src/contract/errors.ts";
import type { Contract } from "../src/contract/operation.ts";
import { demoPeople, demoSignIn, me, myHistory, myTransfers, qrKeys, signOut } from "../src/contract/people.ts";

/** The broker's operations for the signed-in person, one method each. */
export type Api = Client<typeof personContract>;

/** What the first page calls. */
const firstRows = Object.freeze({ demoPeople, demoSignIn, me, myHistory, myTransfers, qrKeys, signOut });

/** A payment may wait for the ledger; after this the app asks for the outcome instead. */
const TIMEOUT_MS = 12_000;

/** Where the app calls, and who hears that nobody who pays is signed in. */
export interface ApiOptions {
  readonly origin: string;
  /** Called for every 401 that is one when asked again, before the caller gets the error. */
  readonly onSignedOut: () => void;
  /** Called when whoever is signed in is no person with a quota: the broker has nothing to say about an operator. */
  readonly onOperator: () => void;
  /** Whether somebody is at the device: what the app asks by itself is no activity of theirs. */
  readonly attended: () => boolean;
  /** Whom this tab shows, as far as it knows. */
  readonly personId: () => string | undefined;
  /** Called when the browser is another person's by now, before the caller gets the error. */
  readonly onAnotherPerson: () => void;
}

type Call = (...input: readonly unknown[]) => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;

/**
 * The app's one way to the broker: session cookie, the header that a foreign page cannot send, no retries. The rows
 * that the first page needs are there; the others are fetched with the first call of one of them.
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
  // Another tab may have signed in while a request was under way, and replaced the session that it left with.
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

/** A script that does not come is a call that nobody answered, to all who make one. */
async function loadContract(): Promise<typeof personContract> {
  try {
    return (await import("./person-contract.ts")).personContract;
  } catch (error) {
    throw new NoAnswerError("no answer", { cause: bareFailure(error) });
  }
}
