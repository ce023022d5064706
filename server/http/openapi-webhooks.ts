import type { WireSchema } from "../../src/contract/shared/operation.ts";
import { fittingExample } from "./openapi-example.ts";
import type { SchemaConverter } from "./openapi-schemas.ts";

/** The documentation of one type of event that is sent to webhooks. */
export interface WebhookRow {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The whole body. */
  readonly message: WireSchema;
  /** A body that was sent; generated from the schema where there is none. */
  readonly example?: unknown;
  /** The effect of an answer 410, where that is no refusal as any other. */
  readonly afterGone?: string;
}

const header = (name: string, description: string, schema: object, example: string) => {
  return { name, in: "header", required: true, description, schema, example };
};

/** The headers that every message to a webhook has (Standard Webhooks), as OpenAPI parameters. */
export const webhookParameters = Object.freeze({
  WebhookId: header(
    "webhook-id",
    "The event's id, the same in every attempt: apply each id once.",
    { type: "string", format: "uuid" },
    "01990c1e-5b2a-7d10-8a41-6f2b9c3d0008",
  ),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "When this attempt was made, in seconds since 1970: refuse what is more than five minutes off.",
    { type: "string", pattern: "^\\d{1,12}$" },
    "1774983900",
  ),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the bytes that are " +
      "in the secret, in base64, after `whsec_`. While a secret is replaced there are two, with a space between: one " +
      "that fits is enough.",
    { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
});

/** The answers of a receiver, and their effect on the event. */
const responses = Object.freeze({
  "2XX": { description: "Accepted. Answer within 10 seconds; a body is not used." },
  default: {
    description:
      "Tried again with the same `webhook-id`, with growing pauses for 72 hours. So is what is not answered within " +
      "10 seconds. Redirects are not followed.",
  },
});

/** `credit.written_off` as `creditWrittenOff`. */
function operationIdOf(type: string): string {
  return type.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function webhookOf(type: string, row: WebhookRow, { convert, components }: SchemaConverter): object {
  const { tag, summary, description, message, afterGone } = row;
  const schema = convert(message);
  const example = row.example ?? fittingExample(message, schema, components);
  return {
    operationId: operationIdOf(type),
    tags: [tag],
    summary,
    description,
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: { ...responses, ...(afterGone === undefined ? {} : { 410: { description: afterGone } }) },
    security: [],
  };
}

/** Returns the messages that are sent to webhooks, by type of event, as the `webhooks` of an OpenAPI document. */
export function webhooksOf(
  rows: Readonly<Record<string, WebhookRow>>,
  converter: SchemaConverter,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(rows).map(([type, row]) => [type, { post: webhookOf(type, row, converter) }]),
  );
}
