import type { BlockList } from "node:net";
import type { Hono } from "hono";
import type { HttpEnv } from "../http/exchange.ts";
import type { ClockWatch } from "../ledger/clock-watch.ts";
import type { Writer } from "../ledger/writer.ts";
import { classifyServiceError, type ServiceCoreOptions, startServiceCore } from "./service-core.ts";
import { createServiceHttp } from "./service-http.ts";

/** Every option of {@link createServiceApp}: what the tests run is what ships. */
export interface ServiceAppOptions extends ServiceCoreOptions {
  readonly trustedProxies?: BlockList;
}

/** The running service: its HTTP app, writer and clock watch. */
export interface ServiceApp {
  readonly app: Hono<HttpEnv>;
  readonly ledger: Writer;
  readonly clockWatch: ClockWatch;
  /** Answers everything that was accepted; the database may be closed after that. */
  close(): Promise<void>;
}

/**
 * Assembles the service in one thread, HTTP and core, and starts its writer, webhooks and periodic tasks. The database
 * must be migrated.
 */
export async function createServiceApp(options: ServiceAppOptions): Promise<ServiceApp> {
  const { answers, tokens, handlers, limits, ledger, clockWatch, close } = await startServiceCore(options);
  const { verifyAccessToken } = tokens;
  const classify = classifyServiceError;
  const app = createServiceHttp({ ...options, core: answers, verifyAccessToken, handlers, limits, classify });
  return { app, ledger, clockWatch, close };
}
