import type { Merchant, MerchantWithKeys } from "../../src/contract/broker/operator-merchants.ts";
import type { MerchantDelivery } from "../../src/contract/broker/webhook-deliveries.ts";
import type { ServiceUser } from "./find-service-user.ts";
import { plainText, tableText } from "./terminal-command.ts";

/** The amount of the example session. */
const EXAMPLE_AMOUNT = 25_000;

/** An instant of an answer as a table shows it. */
function instantOf(text: string): string {
  return `${text.slice(0, 19)}Z`;
}

/**
 * Words, for the terminal, the user whom a merchant is paid as, with a warning where the user could not be looked up.
 */
export function userText(user: ServiceUser): string {
  if (!("unchecked" in user)) return `User: ${plainText(user.name)} (${user.id})`;
  return [
    `User: ${user.id}: NOT CHECKED, ${user.unchecked}.`,
    "Payment codes of a user that the service does not have cannot be made.",
    `To check it, ${user.remedy}, and try a session.`,
  ].join("\n");
}

/** Formats the keys that a change made as terminal text, which is their only showing; empty where it made none. */
export function keysText({ server_key, publishable_key, webhook_secret }: MerchantWithKeys): string {
  const keys = Object.entries({ server_key, publishable_key, webhook_secret }).filter(([, key]) => key !== null);
  if (keys.length === 0) return "";
  const table = tableText(keys.map(([name, key]) => [name, key ?? ""]));
  const once = keys.length === 1 ? "Keep it now: it is not shown again." : "Keep them now: they are not shown again.";
  const server = server_key === null ? "" : " The server key stays on the merchant's backend: never in a page.";
  return `${table}\n\n${once}${server}`;
}

/**
 * Words, for the terminal, how a merchant's backend starts a session, or that an origin is missing for that; the key is
 * typed, so that no shell history keeps it.
 */
export function sessionText(merchant: MerchantWithKeys, publicOrigin: string): string {
  const [origin] = merchant.origins;
  if (origin === undefined) {
    const command = `npm run merchant -- change ${merchant.id} --origin https://shop.example`;
    return `No page can show its sessions until an origin is listed:\n\n  ${command}`;
  }
  const body = JSON.stringify({ kind: "pay", amount: EXAMPLE_AMOUNT, order: "1042", origin });
  return [
    "A session, as the merchant's backend starts one; read waits for the server key:",
    "",
    "  read -rs KEY",
    `  curl ${publicOrigin}/v1/sessions -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
    `    -d '${body}'`,
  ].join("\n");
}

/** Formats the ids of a merchant's live keys as one line of text, by kind, and oldest first within each kind. */
export function liveKeysText({ keys }: Merchant): string {
  const texts = (["server", "publishable", "webhook"] as const).flatMap((kind) => {
    const own = keys.filter((key) => key.kind === kind);
    return own.length === 0 ? [] : [`${kind} ${own.map(({ id }) => id).join(", ")}`];
  });
  return texts.join("; ") || "–";
}

/**
 * Words, for the terminal, the ids of the server keys to which powers that were given there apply: all live ones,
 * whoever made them.
 */
export function empoweredKeysText({ keys }: Merchant): string {
  const texts = keys.flatMap(({ id, kind, created_at: at }) => (kind === "server" ? [`${id} (${instantOf(at)})`] : []));
  return `Server keys that may do that now: ${texts.join(", ")}. Retire those that the merchant does not use.`;
}

function refundsText({ refunds, refund_limit: limit }: Merchant): string {
  if (!refunds) return "no";
  return limit === null ? "yes" : `up to ${limit} a day`;
}

/** Formats a merchant's settings as text, one per line. */
export function settingsText(merchant: Merchant): string {
  const { name, origins, open_amount_limit: limit, webhook_url: webhook } = merchant;
  return tableText([
    ["name", name],
    ["origins", origins.join(" ") || "–"],
    ["open amounts", limit === null ? "–" : `up to ${limit}`],
    ["first-party", merchant.first_party ? "yes" : "no"],
    ["sells top-ups", merchant.sells_top_ups ? "yes" : "no"],
    ["refunds", refundsText(merchant)],
    ["webhook", webhook ?? "–"],
  ]);
}

function stateText({ disabled_at: disabledAt }: Merchant): string {
  return disabledAt === null ? "live" : `disabled ${instantOf(disabledAt)}`;
}

function webhookText({ webhook_url: url, webhook_waiting: waiting, webhook_failure: failure }: Merchant): string {
  if (url === null) return "–";
  return [url, ...(waiting === 0 ? [] : [`${waiting} waiting`]), ...(failure === null ? [] : [failure])].join(", ");
}

/** Formats events of a merchant with their deliveries as a table of text. */
export function deliveriesText(deliveries: readonly MerchantDelivery[]): string {
  if (deliveries.length === 0) return "Nothing was sent to this merchant yet.";
  const head = ["event", "type", "session", "made", "state", "attempts", "next attempt", "latest failure"];
  const rows = deliveries.map((each) => [
    ...[each.event_id, each.event_type, each.session_id, instantOf(each.created_at), each.state, String(each.attempts)],
    each.next_attempt_at === undefined ? "–" : instantOf(each.next_attempt_at),
    each.last_error === undefined ? "–" : [each.last_error, each.last_status ?? ""].join(" ").trimEnd(),
  ]);
  return tableText([head, ...rows]);
}

/** Formats all merchants as a table of text. */
export function merchantsText(merchants: readonly Merchant[]): string {
  if (merchants.length === 0) return "There is no merchant yet.";
  const allowed = ["open amounts", "first-party", "sells top-ups", "refunds"];
  const head = ["merchant", "name", "user", "made", "state", "origins", ...allowed, "webhook", "live keys"];
  const rows = merchants.map((merchant) => [
    merchant.id,
    merchant.name,
    merchant.user_id,
    instantOf(merchant.created_at),
    stateText(merchant),
    merchant.origins.join(" ") || "–",
    merchant.open_amount_limit === null ? "–" : `up to ${merchant.open_amount_limit}`,
    merchant.first_party ? "yes" : "no",
    merchant.sells_top_ups ? "yes" : "no",
    refundsText(merchant),
    webhookText(merchant),
    liveKeysText(merchant),
  ]);
  return tableText([head, ...rows]);
}
