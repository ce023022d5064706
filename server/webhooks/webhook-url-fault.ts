import { literalAddress, type WebhookNetwork } from "./webhook-network.ts";

/**
 * Returns the fault of an address that events are to be sent to, undefined when there is none. A name is not looked up
 * here: the addresses that it resolves to are checked whenever something is sent.
 */
export function webhookUrlFault(text: string, network: WebhookNetwork): string | undefined {
  if (network.isOwn(text)) return undefined;
  if (!URL.canParse(text)) return "must be an address such as https://shop.example.com/events";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must have no user and password in it";
  if (url.hash !== "") return "must have no fragment";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && network.allowsPrivate)) {
    return "must start with https://";
  }
  const address = literalAddress(url);
  if (address !== undefined && !network.permits(address, url.protocol)) {
    return "must not be an address of a private network, nor plain http to a public one";
  }
  if (/(?:^|\.)localhost\.?$/.test(url.hostname) && !network.allowsPrivate) return "must not be this machine";
  return undefined;
}
