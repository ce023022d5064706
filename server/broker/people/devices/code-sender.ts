import { createSealer } from "../../../database/sealer.ts";
import { type Deliverer, startDeliverer } from "../../../webhooks/deliverer.ts";
import { createWebhookNetwork } from "../../../webhooks/webhook-network.ts";
import type { WebhookOptions } from "../../../webhooks/webhook-options.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { codeOutbox } from "./code-outbox.ts";

/** Sends enrolment codes to the endpoint of the entity's backend. */
export interface CodeSender {
  /** Begins to send what is due, within a second. */
  start(): void;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/** Creates the sender of enrolment codes of one process; several processes share one outbox. */
export function createCodeSender(broker: BrokerContext, options: WebhookOptions = {}): CodeSender {
  const { sql, key, clock, random, log } = broker;
  let deliverer: Deliverer | undefined;
  return {
    start() {
      const store = codeOutbox(sql, createSealer(key, random));
      const network = createWebhookNetwork(options);
      deliverer ??= startDeliverer({ ...options, store, network, clock, random, log });
    },
    async stop() {
      await deliverer?.stop();
    },
  };
}
