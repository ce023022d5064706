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
import { readEventExamples } from "../shared/answer-examples.ts";

/** Schemas that events share with each other and with answers, by the name that the document gives them. */
export const eventSchemas = Object.freeze({
  Credit,
  EventCredit,
  EventGrant,
  EventRepayment,
  EventUser,
  LedgerTransaction,
});

/** Builds the documentation of each type of event, in the order of the contract. */
export function serviceWebhooks() {
  const examples = readEventExamples();
  const rows = EVENT_TYPES.map((type) => {
    const { summary, description } = eventData[type];
    return [type, { tag: putWebhook.tag, summary, description, message: eventMessage(type), example: examples[type] }];
  });
  return Object.fromEntries(rows);
}
