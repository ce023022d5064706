import type { LookupAddress } from "node:dns";
import { AddressRefusedError, guardedLookup, type WebhookNetwork } from "./webhook-network.ts";
import { webhookUrlFault } from "./webhook-url-fault.ts";

/** A name that no name server knows. */
const UNKNOWN_NAME: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * True if messages may be sent to an address as its name resolves now; throws where no name server answers. It is
 * checked again at each sending, for a name may resolve to something else by then.
 */
export async function isPermittedTarget(text: string, network: WebhookNetwork): Promise<boolean> {
  if (webhookUrlFault(text, network) !== undefined) return false;
  const { protocol, hostname } = new URL(text);
  if (hostname.startsWith("[")) return true;
  try {
    await new Promise<string | LookupAddress[]>((resolve, reject) => {
      guardedLookup(network, protocol)(hostname, { all: true }, (error, found) => {
        if (error === null) resolve(found);
        else reject(error);
      });
    });
    return true;
  } catch (error) {
    if (error instanceof AddressRefusedError || UNKNOWN_NAME.has(Reflect.get(Object(error), "code"))) return false;
    throw error;
  }
}
