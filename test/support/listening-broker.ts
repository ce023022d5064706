import { Hono } from "hono";
import { v7 } from "uuid";
import type { HttpEnv } from "../../server/http/exchange.ts";
import { listen } from "../../server/http/listen.ts";
import { aBroker, type TestBroker } from "./broker.ts";
import { silentLog } from "./silent-log.ts";

const DRAIN_MS = 2_000;

/** The real broker at a real address, which is also its public one. */
export interface ListeningBroker extends TestBroker {
  readonly baseUrl: string;
}

/** Starts the broker in front of the service, and on a free port; call `stop` when done. */
export async function aListeningBroker(): Promise<ListeningBroker> {
  const front = new Hono<HttpEnv>();
  const listening = await listen(front, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  const baseUrl = `http://127.0.0.1:${listening.port}`;
  const broker = await aBroker({ publicOrigin: baseUrl });
  front.all("*", (c) => broker.app.fetch(c.req.raw, c.env));
  return {
    ...broker,
    baseUrl,
    async stop() {
      await listening.close(DRAIN_MS);
      await broker.stop();
    },
  };
}
