import { parentPort, workerData } from "node:worker_threads";
import { connect } from "../database/connect.ts";
import { Channel } from "../threads/channel.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { DRAIN_MS } from "./parts.ts";
import { systemLog, systemServices } from "./system-services.ts";
import { startServiceDeliverer } from "./webhook-parts.ts";

/** The data of the thread that sends the service's webhooks. */
export interface DeliveryThreadData {
  readonly logLevel: string;
  readonly databaseUrl: string;
  /** The 32-byte service key, which seals the secrets that sign. */
  readonly key: Uint8Array;
  readonly webhooks: WebhookOptions;
}

/** One asks for what is due; another is there while a first one hangs. */
const CONNECTIONS = 2;

const { logLevel, databaseUrl, key, webhooks } = workerData as DeliveryThreadData;
const { clock, random } = systemServices();
const sql = connect(databaseUrl, { max: CONNECTIONS, applicationName: "cupo service webhooks" });
const deliverer = startServiceDeliverer({ sql, key, webhooks, clock, random, log: systemLog(logLevel) });

if (parentPort === null) throw new Error("this script is that of a thread");
new Channel(parentPort, {
  wake: async () => deliverer.wake(),
  metrics: async () => [],
  async close() {
    await deliverer.stop();
    await sql.end({ timeout: DRAIN_MS / 1000 });
  },
});
