import type { Hono } from "hono";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { MoneyEvent, QrEvent } from "../../../../src/contract/service/webhooks.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";
import type { HttpEnv } from "../../../http/exchange.ts";
import type { HttpTools } from "../../../http/http-options.ts";
import type { ChangeNotifications, PushSender } from "../../access/notifiers.ts";
import type { UpstreamSecrets } from "../../upstream/upstream-secrets.ts";

/** The users whose money an event is about. */
interface MovedMoney {
  /** Users of the service whom the event concerns. */
  readonly users: readonly string[];
  /** Money that a user received, in the one event that reports it. */
  readonly arrival?: { readonly userId: string; readonly id: string };
  /** The transaction, in the one event that reports that it was made. */
  readonly made?: string;
}

/** Events that report the money of an approved movement as newly arrived. */
const ARRIVING: ReadonlySet<MoneyEvent["type"]> = new Set([
  "transaction.created",
  "transaction.settled",
  "ledger.transfer",
]);

const MAKING: ReadonlySet<MoneyEvent["type"]> = new Set(["transaction.created", "ledger.transfer"]);

/** Reads whose money a message of the service is about; undefined for any other message. */
function movedMoney(event: unknown): MovedMoney | undefined {
  if (!fits(MoneyEvent, event)) return undefined;
  const { type, data } = event;
  if ("user_id" in data) return { users: [data.user_id] };
  const users = [data.from_user_id, data.to_user_id];
  const about = { users, ...(MAKING.has(type) ? { made: data.id } : {}) };
  if (!ARRIVING.has(type) || data.status !== "approved") return about;
  return { ...about, arrival: { userId: data.to_user_id, id: data.id } };
}

/** The path of the broker to which the service sends its webhooks. */
export const UPSTREAM_EVENTS_PATH = "/v1/upstream-events";

/** The size of a payment with all possible details: a larger body is not hashed for a sender that knows no secret. */
const MOST_BYTES = 64 * 1024;

type Signed = Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;

function headersOf(headers: Headers): Signed {
  const value = (name: string): string => headers.get(name) ?? "";
  return {
    "webhook-id": value("webhook-id"),
    "webhook-timestamp": value("webhook-timestamp"),
    "webhook-signature": value("webhook-signature"),
  };
}

/** True if a secret signed the message, within five minutes of now (Standard Webhooks: replay). */
function isSignedWith(secret: string, text: string, headers: Signed): boolean {
  try {
    new Webhook(secret).verify(text, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

async function isAuthentic(secrets: UpstreamSecrets, text: string, headers: Signed): Promise<boolean> {
  const isSigned = (known: readonly string[]) => known.some((secret) => isSignedWith(secret, text, headers));
  // Another process may have registered the webhook anew since the secrets were read.
  return isSigned(await secrets.get()) || isSigned(await secrets.get({ anew: true }));
}

/** The parts of the broker that act on the service's webhooks. */
export interface UpstreamListeners {
  /** Hints to pages that wait. */
  readonly hints: Pick<ChangeNotifications, "publish" | "isReserved">;
  /** Records the merchant events of payment codes. */
  readonly merchants: { recordOutcomes(references: readonly string[]): Promise<void> };
  /** Push messages to people who received money. */
  readonly push: Pick<PushSender, "notify">;
}

/**
 * Adds the route that receives the service's webhooks. A message is a hint to look again at a code or at one's money,
 * for pages and for people's browsers, and nothing more: messages come twice, late and in any order, so that the
 * service is asked for the current state. Merchant events are recorded before the answer: if that fails, or this
 * process ends, the service sends its message again. Every invalid message gets the same answer.
 */
export function addUpstreamEvents(
  app: Hono<HttpEnv>,
  tools: HttpTools,
  { secrets, hints, merchants, push }: UpstreamListeners & { readonly secrets: UpstreamSecrets },
): void {
  app.post(UPSTREAM_EVENTS_PATH, async (c) => {
    tools.label(c, "upstream");
    const bytes = await tools.readBody(c);
    const text = bytes.length > MOST_BYTES ? "" : new TextDecoder().decode(bytes);
    if (text === "" || !(await isAuthentic(secrets, text, headersOf(c.req.raw.headers)))) {
      throw new ApiError("unauthorized", { detail: "The message is not signed by the service." });
    }
    const event: unknown = JSON.parse(text);
    const { users, arrival, made } = movedMoney(event) ?? { users: [] };
    const isHinted = made !== undefined && hints.isReserved(made);
    if (!isHinted) hints.publish(...users.map((id) => `user:${id}` as const));
    if (arrival !== undefined) push.notify(arrival.userId, arrival.id);
    if (fits(QrEvent, event)) {
      if (!isHinted) hints.publish(`code:${event.data.reference}`);
      await merchants.recordOutcomes([event.data.reference]);
    }
    return tools.respond(c, 204, null);
  });
}
