import { Credit } from "../../../src/contract/service/credits.ts";
import {
  EventCredit,
  EventGrant,
  EventRepayment,
  EventUser,
  eventData,
  eventMessage,
} from "../../../src/contract/service/event-data.ts";
import { LedgerTransaction } from "../../../src/contract/service/ledger.ts";
import { EVENT_TYPES, putWebhook } from "../../../src/contract/service/webhooks.ts";
import { readEvents } from "../../shared/example-files.ts";
import { SERVICE_EXAMPLES } from "../shared/answer-examples.ts";

/** Schemas that events share with each other and with answers, by the name that the document gives them. */
export const eventSchemas = Object.freeze({
  Credit,
  EventCredit,
  EventGrant,
  EventRepayment,
  EventUser,
  LedgerTransaction,
});

/** The effect of a receiver's answer 410. */
const AFTER_GONE =
  "Disables the webhook (`disabled_reason: gone`). What waits, this event too, goes out when it is enabled again.";

/** Builds the documentation of each type of event, in the order of the contract. */
export function serviceWebhooks() {
  const examples = readEvents(SERVICE_EXAMPLES, EVENT_TYPES);
  const rows = EVENT_TYPES.map((type) => {
    const { summary, description } = eventData[type];
    const message = { message: eventMessage(type), example: examples[type] };
    return [type, { tag: putWebhook.tag, summary, description, ...message, afterGone: AFTER_GONE }];
  });
  return Object.fromEntries(rows);
}
