import { isIPv6 } from "node:net";
import { doubled } from "../../src/retry.ts";
import type { Broker } from "../broker/create-broker.ts";
import { UPSTREAM_EVENTS_PATH } from "../broker/people/notifications/upstream-events.ts";
import type { Config } from "../config/config.ts";
import { describeError, type HttpLog } from "../http/http-log.ts";
import { type Repeating, repeatTask } from "../runtime/repeat-task.ts";

const TRY_EVERY_MS = 10_000;
/**
 * A webhook that was disabled at the service, such as by a proxy that answered 410, is back within this; a service that
 * has none or refuses the address is asked no more often.
 */
const AGAIN_MS = 60 * 60 * 1000;

/**
 * Returns the address at which the service beside us sends its webhooks to the broker: on this machine, whatever
 * address people use.
 */
export function localBrokerUrl({ host, port }: Pick<Config, "host" | "port">): string {
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}${UPSTREAM_EVENTS_PATH}`;
}

/**
 * Returns the address at which a service elsewhere sends its webhooks to the broker; undefined unless people reach the
 * broker by https, which a service requires of a public webhook.
 */
export function publicUrl({ publicOrigin }: Pick<Config, "publicOrigin">): string | undefined {
  return publicOrigin.startsWith("https://") ? `${publicOrigin}${UPSTREAM_EVENTS_PATH}` : undefined;
}

/**
 * Keeps the broker's webhook registered at the service until it is stopped: registers it at once, again after failures
 * with growing pauses of at most an hour, and then every hour.
 */
export function keepRegistered(
  broker: Pick<Broker, "registerWebhook">,
  url: string,
  { now, log }: { readonly now: () => number; readonly log: HttpLog },
): Repeating {
  let dueAt = now();
  let failures = 0;
  const name = "register the broker's webhook";
  const register = async (): Promise<void> => {
    if (now() < dueAt) return;
    dueAt = now() + doubled(TRY_EVERY_MS, failures, AGAIN_MS);
    failures += 1;
    await broker.registerWebhook(url);
    dueAt = now() + AGAIN_MS;
    failures = 0;
  };
  const first = register().catch((error: unknown) => {
    log.warn({ task: name, error: describeError(error) }, "a repeated task failed");
  });
  const repeating = repeatTask({ name, everyMs: TRY_EVERY_MS, run: register, log });
  return {
    async stop() {
      await Promise.all([repeating.stop(), first]);
    },
  };
}
