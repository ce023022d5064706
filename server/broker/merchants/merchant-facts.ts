import type { KeyRotation, MerchantSettings } from "./manage-merchants.ts";

type Facts = Readonly<Record<string, string | number | boolean>>;

/** The facts of settings for the audit: what they permit. A webhook's address may hold a secret: its host alone. */
export function settingsFacts(settings: MerchantSettings): Facts {
  const { name, origins, openAmountLimit, firstParty, sellsTopUps, webhookUrl } = settings;
  return {
    ...(name === undefined ? {} : { named: true }),
    ...(origins === undefined ? {} : { origins: origins.join(" ") }),
    ...(openAmountLimit === undefined ? {} : { open_amount_limit: String(openAmountLimit ?? "none") }),
    ...(firstParty === undefined ? {} : { first_party: firstParty }),
    ...(sellsTopUps === undefined ? {} : { sells_top_ups: sellsTopUps }),
    ...(webhookUrl === undefined ? {} : { webhook: webhookUrl === null ? "none" : new URL(webhookUrl).host }),
  };
}

/** The powers in a call that take a second admin, as facts for the audit. */
export function askedFacts({ firstParty, sellsTopUps }: MerchantSettings): Facts {
  const asked = [...(firstParty === true ? ["first_party"] : []), ...(sellsTopUps === true ? ["sells_top_ups"] : [])];
  return asked.length === 0 ? {} : { asked: asked.join(" ") };
}

/** The facts of a rotation for the audit: ids of keys, never a key. */
export function rotationFacts({ kind, retire, newKey }: KeyRotation): Facts {
  return { kind, retire: retire.join(" "), new_key: newKey };
}
