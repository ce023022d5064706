import { Hono } from "hono";
import { v7 } from "uuid";
import type { HttpEnv } from "../../server/http/exchange.ts";
import { listen } from "../../server/http/listen.ts";
import { silentLog } from "./silent-log.ts";

const DRAIN_MS = 2_000;

/** How many requests have arrived so far, and of how many the client has gone. */
interface SeenRequests {
  all: number;
  abandoned: number;
}

/** The part of a broker or service that answers, and its end. */
interface Answering {
  readonly app: Hono<HttpEnv>;
  stop(): Promise<void>;
}

/**
 * Starts what is made for an address at that address, on a free port of this machine: it must know its address, and so
 * the port, before it is made. Its `stop` ends both.
 */
export async function listening<Answers extends Answering>(
  make: (baseUrl: string) => Promise<Answers>,
): Promise<Answers & { readonly baseUrl: string; readonly seen: SeenRequests }> {
  const seen: SeenRequests = { all: 0, abandoned: 0 };
  const front = new Hono<HttpEnv>();
  const server = await listen(front, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const made = await make(baseUrl);
  front.all("*", (c) => {
    seen.all += 1;
    c.req.raw.signal.addEventListener("abort", () => {
      seen.abandoned += 1;
    });
    return made.app.fetch(c.req.raw, c.env);
  });
  return {
    ...made,
    ...{ baseUrl, seen },
    async stop() {
      await server.close(DRAIN_MS);
      await made.stop();
    },
  };
}
