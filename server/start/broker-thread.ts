import { parentPort, workerData } from "node:worker_threads";
import { Registry } from "prom-client";
import { Channel } from "../threads/channel.ts";
import { type BrokerClient, startBroker } from "./broker-part.ts";
import { type Process, Stops } from "./parts.ts";
import { systemLog, systemServices } from "./system-services.ts";

/** The data of the thread of the broker. */
export interface BrokerThreadData extends Pick<Process, "config" | "role" | "version" | "database"> {
  readonly client: BrokerClient;
}

const { client, ...data } = workerData as BrokerThreadData;
const registry = new Registry();
const stops = new Stops();
const own = { registry, stops, services: systemServices(), log: systemLog(data.config.logLevel) };

if (parentPort === null) throw new Error("this script is that of a thread");
const main = new Channel(parentPort, {
  async start() {
    await startBroker({ ...data, ...own, metrics: () => main.ask("metrics") }, client);
  },
  metrics: () => registry.getMetricsAsJSON(),
  close: () => stops.run(),
});
