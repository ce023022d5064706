import { collectDefaultMetrics, Histogram } from "prom-client";
import type { MetricsOptions } from "./http-options.ts";

/** Records answered requests in the metrics, and writes these out. */
export interface HttpMetrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** The text exposition of the process's metrics, and its content type. */
  expose(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** From half a millisecond to the ten seconds that an idempotent copy may wait. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Makes the metrics of an app: registers the histogram of durations, and the process's default metrics where the
 * registry has none yet and is that of the process.
 */
export function createHttpMetrics({ registry, app = "service", expose }: MetricsOptions): HttpMetrics {
  const isWhole = expose === undefined;
  if (isWhole && registry.getSingleMetric("process_cpu_seconds_total") === undefined)
    collectDefaultMetrics({ register: registry });
  const name = "http_request_duration_seconds";
  const known = registry.getSingleMetric(name) as Histogram<"app" | "method" | "route" | "status"> | undefined;
  const duration =
    known ??
    new Histogram({
      name,
      help: "Time from the request's headers to its answer, by app, method, registered path and status",
      labelNames: ["app", "method", "route", "status"],
      buckets: BUCKETS,
      registers: [registry],
    });
  return {
    observe: (method, route, status, seconds) => duration.observe({ app, method, route, status }, seconds),
    expose: async () => ({ text: await (expose?.() ?? registry.metrics()), contentType: registry.contentType }),
  };
}
