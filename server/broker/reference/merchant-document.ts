import { join } from "node:path";
import { merchantContract } from "../../../src/contract/broker/broker.ts";
import { merchantEventMessage, merchantEventTexts } from "../../../src/contract/broker/merchant-event-messages.ts";
import { MerchantEventType } from "../../../src/contract/broker/merchant-events.ts";
import { merchantExamples } from "../../../src/contract/broker/merchant-examples.ts";
import { Payment } from "../../../src/contract/broker/payments.ts";
import { Refund } from "../../../src/contract/broker/refunds.ts";
import { MerchantDelivery, webhookDeliveries } from "../../../src/contract/broker/webhook-deliveries.ts";
import { openApiOf } from "../../http/openapi.ts";
import { readEvents, readExamples } from "../../shared/example-files.ts";
import { merchantFields } from "./merchant-fields.ts";
import { merchantGuide, merchantTags } from "./merchant-guide.ts";

/** The folder of the answers and messages that the broker sent for the examples: one file each, written by a test. */
export const MERCHANT_EXAMPLES = join(import.meta.dirname, "examples");

function webhooks() {
  const types = MerchantEventType.options;
  const examples = readEvents(MERCHANT_EXAMPLES, types);
  const rows = types.map((type) => {
    const { tag } = webhookDeliveries;
    return [type, { tag, ...merchantEventTexts[type], message: merchantEventMessage(type), example: examples[type] }];
  });
  return Object.fromEntries(rows);
}

/** The public address of the broker, and the version of Cupo. */
interface DocumentOptions {
  readonly publicOrigin: string;
  readonly version: string;
}

/**
 * Writes the OpenAPI document of the merchant interface as JSON text: the operations of a merchant's backend, and no
 * others of the broker's.
 */
export function merchantDocument({ publicOrigin, version }: DocumentOptions): string {
  const document = openApiOf({
    contract: merchantContract,
    title: "Cupo for merchants",
    version,
    license: "Apache-2.0",
    description: merchantGuide,
    tags: merchantTags,
    baseUrl: publicOrigin,
    schemas: { Payment, Refund, MerchantDelivery },
    requests: merchantExamples,
    answers: readExamples(MERCHANT_EXAMPLES),
    webhooks: webhooks(),
    fields: merchantFields,
  });
  return JSON.stringify(document);
}
