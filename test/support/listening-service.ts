import { Hono } from "hono";
import { v7 } from "uuid";
import type { HttpEnv } from "../../server/http/exchange.ts";
import { listen } from "../../server/http/listen.ts";
import { aService, type TestService } from "./service.ts";
import { silentLog } from "./silent-log.ts";

const DRAIN_MS = 2_000;

/** The real service at a real address, for tools that know nothing but its address. */
export interface ListeningService extends TestService {
  /** Where it listens, which is also what it says its address is. */
  readonly baseUrl: string;
}

/** Starts the service on a fresh database and a free port; call `stop` when done. */
export async function aListeningService(): Promise<ListeningService> {
  // The service must know its address, and so the port, before it is made.
  const front = new Hono<HttpEnv>();
  const listening = await listen(front, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
  const baseUrl = `http://127.0.0.1:${listening.port}`;
  const service = await aService({ baseUrl });
  front.all("*", (c) => service.app.fetch(c.req.raw, c.env));
  return {
    ...service,
    baseUrl,
    async stop() {
      await listening.close(DRAIN_MS);
      await service.stop();
    },
  };
}
