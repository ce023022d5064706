import { isIP } from "node:net";
import type { FindAddresses } from "../../server/webhooks/webhook-network.ts";

/**
 * Resolves IP addresses and `localhost`, and no other name: the name servers of the machine that tests run on may be
 * silent, and are never asked.
 */
export const localNames: FindAddresses = async (hostname) => {
  const address = hostname === "localhost" ? "127.0.0.1" : hostname;
  const family = isIP(address);
  if (family === 0) {
    throw Object.assign(new Error(`no such name: ${hostname}`), { code: "ENOTFOUND", syscall: "getaddrinfo" });
  }
  return [{ address, family }];
};
