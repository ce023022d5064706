import type { Merchant } from "../../src/contract/broker/operator-merchants.ts";
import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";
import { createAudit } from "../broker/access/audit.ts";
import { deliveryAnswer, listDeliveries, redeliver } from "../broker/merchants/events/delivery-list.ts";
import {
  type ChangedMerchant,
  changeMerchant,
  createMerchant,
  disableMerchant,
  type KeyRotation,
  rotateMerchantKey,
} from "../broker/merchants/manage-merchants.ts";
import { merchantAnswer, merchantWithKeys } from "../broker/merchants/merchant-answer.ts";
import { rotationFacts, settingsFacts } from "../broker/merchants/merchant-facts.ts";
import { readMerchants } from "../broker/merchants/read-merchants.ts";
import { readSettings, type SettingsBody } from "../broker/merchants/read-settings.ts";
import type { WebhookSecretCreation } from "../broker/merchants/webhook-secrets.ts";
import type { Tx } from "../database/connect.ts";
import { createSealer } from "../database/sealer.ts";
import type { WriteRefusal } from "../shared/answer-once.ts";
import { createServiceUser, type NewServiceUser } from "./create-service-user.ts";
import { findServiceUser, type ServiceUser, type WantedUser } from "./find-service-user.ts";
import {
  deliveriesText,
  empoweredKeysText,
  keysText,
  liveKeysText,
  merchantsText,
  sessionText,
  settingsText,
  userText,
} from "./merchant-texts.ts";
import { faultsText, PRIVATE_WEBHOOK } from "./option-faults.ts";
import { type CommandContext, CommandError, type CommandOutput, type Job, plainText } from "./terminal-command.ts";

/** Terminal hints for refusals that are worded for a request. */
const AT_THE_TERMINAL: Readonly<Partial<Record<ErrorCode, string>>> = Object.freeze({
  merchant_not_found: "npm run merchant -- list shows those there are.",
  merchant_key_limit: "Here that is --retire KEY_ID.",
  merchant_key_not_found: "Here that is --retire KEY_ID, and npm run merchant -- list shows the ids.",
});

function settingsOf(services: CommandContext, body: SettingsBody) {
  try {
    return readSettings({ ...services, merchantWebhooks: { allowed: services.webhookPrivate } }, body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isWebhook = error.faults.some(({ pointer }) => pointer === "/webhook_url");
    throw new CommandError([faultsText(error.faults), ...(isWebhook ? [PRIVATE_WEBHOOK] : [])].join("\n"));
  }
}

interface Change {
  readonly action: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly run: (tx: Tx, making: WebhookSecretCreation) => Promise<ChangedMerchant | WriteRefusal>;
}

/** Carries out a change in one transaction with its audit record. */
function carryOut(services: CommandContext, { action, facts, run }: Change): Promise<ChangedMerchant> {
  const { sql, key, random, clock, newId } = services;
  return sql.begin("isolation level read committed", async (tx) => {
    const now = clock();
    const result = await run(tx, { sealer: createSealer(key, random), random, now });
    if ("code" in result) {
      throw new CommandError([result.detail, AT_THE_TERMINAL[result.code] ?? ""].join(" ").trimEnd());
    }
    const principal = { kind: "command line" } as const;
    const about = { requestId: newId(), principal, action, subject: result.merchant.id, facts };
    await createAudit(clock)(tx, { ...about, outcome: "done" });
    return result;
  });
}

/** The user whom a merchant is paid as: one that the service has, or one to make there. */
export type MerchantUser = WantedUser | { readonly made: NewServiceUser };

async function userFor(services: CommandContext, wanted: MerchantUser): Promise<ServiceUser & { readonly id: string }> {
  if ("made" in wanted) return createServiceUser(services, wanted.made);
  const user = await findServiceUser(services, wanted);
  if (user.id !== undefined) return { ...user, id: user.id };
  const why = "unchecked" in user ? `${user.unchecked}: ${user.remedy}` : "";
  throw new CommandError(`A nit is looked up at the service, but ${why}, or say --user-id.`);
}

/** Creates a merchant for a user, with its powers at once, and shows its keys; makes the user first where it is new. */
export function createJob(body: SettingsBody & { readonly name: string }, wanted: MerchantUser): Job {
  return async (services): Promise<CommandOutput> => {
    const settings = settingsOf(services, body);
    const user = await userFor(services, wanted);
    const isChecked = !("unchecked" in user);
    const facts = {
      user_id: user.id,
      user_checked: isChecked,
      user_made: "made" in wanted,
      ...settingsFacts(settings),
    };
    const made = { ...settings, id: services.newId(), name: body.name, userId: user.id };
    const run: Change["run"] = (tx, making) => createMerchant(tx, made, making);
    const changed = await carryOut(services, { action: "create merchant", facts, run });
    const data = merchantWithKeys(services, changed);
    const head = `Merchant: ${plainText(data.name)} (${data.id})\n${userText(user)}`;
    const text = [head, keysText(data), sessionText(data, services.publicOrigin)].join("\n\n");
    return { text, data: { ...data, user_checked: isChecked } };
  };
}

/** Changes a merchant's settings, and the powers of all its live server keys at once. */
export function changeJob(id: string, body: SettingsBody): Job {
  return async (services): Promise<CommandOutput> => {
    const settings = settingsOf(services, body);
    const run: Change["run"] = (tx, making) => changeMerchant(tx, id, settings, making);
    const changed = await carryOut(services, { action: "change merchant", facts: settingsFacts(settings), run });
    const data = merchantWithKeys(services, changed);
    const gave = body.first_party === true || body.sells_top_ups === true || body.refunds === true;
    const text = [settingsText(data), ...(gave ? [empoweredKeysText(data)] : []), keysText(data)];
    return { text: text.filter((part) => part !== "").join("\n\n"), data };
  };
}

/** Explains how to finish a rotation while an older key is still live. */
function nextStep({ id, keys }: Merchant, kind: KeyRotation["kind"]): string[] {
  const [old, ...newer] = keys.filter((key) => key.kind === kind);
  if (old === undefined || newer.length === 0) return [];
  return [
    "When everything uses the new one:",
    `  npm run merchant -- rotate ${id} --kind ${kind} --retire ${old.id} --no-new`,
  ];
}

/** Gives a merchant a new key, ends old ones, or both; a new server key has the merchant's powers at once. */
export function rotateJob(id: string, rotation: KeyRotation): Job {
  return async (services): Promise<CommandOutput> => {
    const run: Change["run"] = (tx, making) => rotateMerchantKey(tx, id, rotation, making);
    const changed = await carryOut(services, { action: "rotate merchant key", facts: rotationFacts(rotation), run });
    const data = merchantWithKeys(services, changed);
    const live = `Live keys, oldest first: ${liveKeysText(data)}`;
    const made = keysText(data);
    const text = made === "" ? [live] : [made, live, ...nextStep(data, rotation.kind)];
    return { text: text.join("\n\n"), data };
  };
}

/** Disables a merchant for good. */
export function disableJob(id: string): Job {
  return async (services): Promise<CommandOutput> => {
    const run: Change["run"] = (tx, { now }) => disableMerchant(tx, id, now);
    const { merchant } = await carryOut(services, { action: "disable merchant", facts: {}, run });
    const data = merchantAnswer(services, merchant);
    const done = `Disabled since ${data.disabled_at}: its keys and the sessions of its pages are refused.`;
    const told = data.webhook_url === null ? "" : ", and its webhook is still told of them";
    return { text: `${done} Codes that were shown can still be paid${told}.`, data };
  };
}

/** Shows the latest hundred events of a merchant with their deliveries. */
export function deliveriesJob(merchantId: string): Job {
  return async ({ sql }): Promise<CommandOutput> => {
    const rows = await listDeliveries(sql, { merchantId, state: undefined }, { limit: 100, before: undefined });
    const data = rows.map(deliveryAnswer);
    return { text: deliveriesText(data), data };
  };
}

/** Makes an event of a merchant due again. */
export function redeliverJob(merchantId: string, eventId: string): Job {
  return async ({ sql, clock, newId }): Promise<CommandOutput> => {
    const row = await sql.begin("isolation level read committed", async (tx) => {
      const found = await redeliver(tx, merchantId, eventId, clock());
      if (found === undefined) throw new CommandError("No event of this merchant in the last 30 days has this id.");
      const record = { requestId: newId(), action: "redeliver webhook", subject: eventId, outcome: found.state };
      await createAudit(clock)(tx, { ...record, principal: { kind: "command line" } });
      return found;
    });
    const data = deliveryAnswer(row);
    return { text: deliveriesText([data]), data };
  };
}

/** Shows all merchants, newest first, with the ids of their live keys alone. */
export async function listJob(services: CommandContext): Promise<CommandOutput> {
  const data = (await readMerchants(services.sql)).map((merchant) => merchantAnswer(services, merchant));
  return { text: merchantsText(data), data };
}
