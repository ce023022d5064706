import * as v from "valibot";
import { text } from "../shared/fields.ts";

const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True if a host is a name or address of this machine itself, which no network comes between. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}

/**
 * True if a text is the origin of a merchant's pages as browsers send it (RFC 6454 §6.1): scheme, host and, where it is
 * not the usual one, port. It is on https, so that nobody on the way reads or changes a page's data, except for pages
 * of this machine itself.
 */
export function isMerchantOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  return origin === value && (protocol === "https:" || (protocol === "http:" && isThisMachine(hostname)));
}

/** True if a text is the address of a page of such an origin, without a user and password in it. */
function isMerchantAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, password, username } = new URL(value);
  return isMerchantOrigin(origin) && username === "" && password === "";
}

/** The address of a page of a merchant, to which the app leads a payer back. */
export const MerchantAddress = v.pipe(
  text(1000),
  v.check(
    (value) => isMerchantAddress(value),
    "must be an address such as https://shop.example/thanks: https but on this machine, without user and password",
  ),
);

/** An origin of a merchant's pages. */
export const MerchantOrigin = v.pipe(
  text(300),
  v.check(
    (value) => isMerchantOrigin(value),
    "must be an origin such as https://shop.example: scheme, host and port only, and https but on this machine",
  ),
);
