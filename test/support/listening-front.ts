import { Hono } from "hono";
import { v7 } from "uuid";
import type { HttpEnv } from "../../server/http/exchange.ts";
import { listen } from "../../server/http/listen.ts";
import { silentLog } from "./silent-log.ts";

const DRAIN_MS = 2_000;

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
): Promise<Answers & { readonly baseUrl: string }> {
  const front = new Hono<HttpEnv>();
  const server = await listen(front, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const made = await make(baseUrl);
  front.all("*", (c) => made.app.fetch(c.req.raw, c.env));
  return {
    ...made,
    baseUrl,
    async stop() {
      await server.close(DRAIN_MS);
      await made.stop();
    },
  };
}
