import { connect, type Sql } from "../database/connect.ts";
import { retireDemo } from "../demo/retire-demo.ts";
import { parseTrustedProxies } from "../http/client-address.ts";
import type { Deliverer } from "../webhooks/deliverer.ts";
import { localBrokerUrl } from "./broker-webhook.ts";
import type { DeliveryThreadData } from "./delivery-thread.ts";
import { startHttpThreads } from "./http-threads.ts";
import { DRAIN_MS, metricsOf, openPool, type Process, serve } from "./parts.ts";
import { createServiceApp, type ServiceAppOptions } from "./service-app.ts";
import { startServiceCore } from "./service-core.ts";
import { startDeliveryThread } from "./webhook-parts.ts";

const SERVICE_CONNECTIONS = 10;
/** Beside threads, which have connections of their own for what reads. */
const CORE_CONNECTIONS = 8;
/** Commits run one after another; a second connection is there when the first must be renewed. */
const WRITE_CONNECTIONS = 2;
const READ_CONNECTIONS = 5;

/** The writer's own connections: no other statement makes a commit wait, and each of its statements is planned once. */
function openWritePool({ database, stops }: Process): Sql {
  const options = { max: WRITE_CONNECTIONS, applicationName: "cupo service writer", findsByKeys: true };
  const writeSql = connect(database.url, options);
  stops.add(() => writeSql.end({ timeout: DRAIN_MS / 1000 }));
  return writeSql;
}

/** Statistics may be read from a replica; its tables come from the primary. */
function openReadPool({ config, stops }: Process, sql: Sql): Sql {
  if (config.databaseReadUrl === undefined) return sql;
  const readSql = connect(config.databaseReadUrl, { max: READ_CONNECTIONS, applicationName: "cupo service reads" });
  stops.add(() => readSql.end({ timeout: DRAIN_MS / 1000 }));
  return readSql;
}

function optionsOf(process: Process, sql: Sql): ServiceAppOptions {
  const { config, services, log, version, database } = process;
  return {
    ...config,
    ...services,
    sql,
    writeSql: openWritePool(process),
    readSql: openReadPool(process, sql),
    log,
    version,
    metrics: metricsOf(process),
    key: database.key,
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    webhooks: { allowed: config.webhookPrivate ?? [], own: process.role === "all" ? [localBrokerUrl(config)] : [] },
  };
}

/** Starts the service: its core in this thread, and its HTTP beside it, or in threads of its own. */
export async function startService(process: Process): Promise<Sql> {
  const { config, database, stops, services, metrics, httpThreads, threads } = process;
  const sql = await openPool(process, "service", httpThreads === 0 ? SERVICE_CONNECTIONS : CORE_CONNECTIONS);
  if (!config.demo) await retireDemo({ ...services, sql, dataDir: config.dataDir });
  const options = optionsOf(process, sql);
  if (httpThreads === 0) {
    const service = await createServiceApp(options);
    stops.add(() => service.close());
    await serve(process, service.app, { port: config.servicePort, baseUrl: config.baseUrl });
    return sql;
  }
  const { webhooks = {}, key } = options;
  const deliveries: DeliveryThreadData = { logLevel: config.logLevel, databaseUrl: database.url, key, webhooks };
  const startDeliverer = (): Deliverer => {
    const deliverer = startDeliveryThread(threads, deliveries);
    // For a core that does not start; one that did has stopped it already.
    stops.add(() => deliverer.stop());
    return deliverer;
  };
  const core = await startServiceCore({ ...options, startDeliverer });
  stops.add(() => core.close());
  const started = await startHttpThreads({
    threads,
    core,
    config,
    databaseUrl: database.url,
    count: httpThreads,
    metrics,
  });
  stops.add(() => Promise.all(started.map((thread) => thread.close())));
  return sql;
}
