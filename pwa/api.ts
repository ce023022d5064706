import { type Client, createClient } from "../src/client.ts";
import { personContract } from "../src/contract/broker.ts";
import { ApiError } from "../src/contract/errors.ts";

/** The broker's operations for the signed-in person, one method each. */
export type Api = Client<typeof personContract>;

/** A payment may wait for the ledger; after this the app asks for the outcome instead. */
const TIMEOUT_MS = 12_000;

/** Where the app calls, and who hears that nobody who pays is signed in. */
export interface ApiOptions {
  readonly origin: string;
  /** Called for every 401, before the caller gets the error. */
  readonly onSignedOut: () => void;
  /** Called when whoever is signed in is no person with a quota: the broker has nothing to say about an operator. */
  readonly onOperator: () => void;
}

type Call = (...input: readonly unknown[]) => Promise<unknown>;

/** The app's one way to the broker: session cookie, the header that a foreign page cannot send, no retries. */
export function createApi({ origin, onSignedOut, onOperator }: ApiOptions): Api {
  const client = createClient(personContract, {
    baseUrl: origin,
    headers: () => ({ "X-Cupo-Request": "1" }),
    timeoutMs: TIMEOUT_MS,
  });
  const watched = Object.entries(client).map(([name, call]) => [
    name,
    async (...input: readonly unknown[]) => {
      try {
        return await (call as Call)(...input);
      } catch (error) {
        if (error instanceof ApiError && error.code === "unauthorized") onSignedOut();
        if (error instanceof ApiError && error.code === "not_found" && name === "me") onOperator();
        throw error;
      }
    },
  ]);
  return Object.fromEntries(watched) as Api;
}
