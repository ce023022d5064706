import type { KeyRotation, MerchantSettings } from "./manage-merchants.ts";

type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * Returns settings as facts of an audit record: origins, limits and powers. Of the name it says only that there is one,
 * and of the webhook's address, which may hold a secret, only the host.
 */
export function settingsFacts(settings: MerchantSettings): Facts {
  const { name, origins, openAmountLimit, firstParty, sellsTopUps, refunds, refundLimit, webhookUrl } = settings;
  return {
    ...(name === undefined ? {} : { named: true }),
    ...(origins === undefined ? {} : { origins: origins.join(" ") }),
    ...(openAmountLimit === undefined ? {} : { open_amount_limit: String(openAmountLimit ?? "none") }),
    ...(firstParty === undefined ? {} : { first_party: firstParty }),
    ...(sellsTopUps === undefined ? {} : { sells_top_ups: sellsTopUps }),
    ...(refunds === undefined ? {} : { refunds }),
    ...(refundLimit === undefined ? {} : { refund_limit: String(refundLimit ?? "none") }),
    ...(webhookUrl === undefined ? {} : { webhook: webhookUrl === null ? "none" : new URL(webhookUrl).host }),
  };
}

/**
 * Returns the powers that a request turns on, held already or not, as one fact of an audit record; no fact where it
 * turns on none.
 */
export function askedFacts({ firstParty, sellsTopUps, refunds }: MerchantSettings): Facts {
  const powers = Object.entries({ first_party: firstParty, sells_top_ups: sellsTopUps, refunds });
  const asked = powers.flatMap(([name, isAsked]) => (isAsked === true ? [name] : []));
  return asked.length === 0 ? {} : { asked: asked.join(" ") };
}

/** Returns a key rotation as facts of an audit record: ids of keys, never a key. */
export function rotationFacts({ kind, retire, newKey }: KeyRotation): Facts {
  return { kind, retire: retire.join(" "), new_key: newKey };
}
