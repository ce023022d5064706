import { HttpConnection } from "./http-connection.ts";
import { type Load, type LoadResult, type Outcome, runWorkers } from "./run-workers.ts";

/** One run of transfers over HTTP: `concurrency` is the number of requests in flight, each on its own connection. */
export interface TransferLoad extends Load {
  readonly port: number;
  readonly accessToken: string;
  /** Payers, and payees too where there is no hot account. */
  readonly userIds: readonly string[];
  /** Receives every transfer. */
  readonly hotUserId: string | undefined;
  /** Starts every request's `Idempotency-Key`; absent: no key is sent. */
  readonly keyPrefix: string | undefined;
}

const MOST_AMOUNT = 100;
const SHOWN_CHARACTERS = 200;

/** Draws the body of a transfer between two users that differ. */
function drawBody({ userIds, hotUserId }: TransferLoad, random: () => number): string {
  const payer = Math.floor(random() * userIds.length);
  const payee = (payer + 1 + Math.floor(random() * (userIds.length - 1))) % userIds.length;
  return JSON.stringify({
    from_user_id: userIds[payer],
    to_user_id: hotUserId ?? userIds[payee],
    amount: 1 + Math.floor(random() * MOST_AMOUNT),
  });
}

function outcomeOf(status: number, body: string): Outcome {
  if (status === 201 && body.includes('"status":"approved"')) return "approved";
  if (status === 201 && body.includes('"status":"rejected"')) return "rejected";
  return { fault: `${status} ${body.slice(0, SHOWN_CHARACTERS)}` };
}

/** Runs transfers between random accounts, or from random accounts into one. */
export async function runTransfers(load: TransferLoad, random: () => number): Promise<LoadResult> {
  const { port, concurrency, accessToken, keyPrefix } = load;
  const connections = await Promise.all(Array.from({ length: concurrency }, () => HttpConnection.open(port)));
  const authorization = `Authorization: Bearer ${accessToken}\r\n`;
  let sent = 0;
  try {
    return await runWorkers(load, async (worker) => {
      sent += 1;
      const key = keyPrefix === undefined ? "" : `Idempotency-Key: ${keyPrefix}-${sent}\r\n`;
      const connection = connections[worker];
      const answer = await connection?.post("/create-transaction", authorization + key, drawBody(load, random));
      return answer === undefined ? { fault: "no connection" } : outcomeOf(answer.status, answer.body);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
