import { isIP } from "node:net";
import { resolve } from "node:path";
import { nameFault } from "../../src/name-fault.ts";
import { qrCurrency } from "../../src/qr-payload/currency.ts";
import { DatabaseUrlError, parseDatabaseUrl } from "../database/database-url.ts";

/**
 * Thrown by the readers of this file for a variable's text that is not as it must be. The message says how it must be;
 * the reader of the whole environment adds the variable's name.
 */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
}

const KEY_BYTES = 32;
const MAX_PORT = 65_535;
/** Pattern of the host names and addresses of this machine, which reach it without a network. */
export const LOCAL_HOST = /^(?:localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

function refuse(sentence: string): never {
  throw new ReadingError(sentence);
}

/** Reads a variable's text as a TCP port; 0 is refused, because addresses that others are told contain it. */
export function readPort(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  return refuse(`must be a port from 1 to ${MAX_PORT}`);
}

/**
 * Reads a variable's text as the default limit of one entity's exposure to another, in whole currency units: zero
 * permits none.
 */
export function readCounterpartyLimit(text: string): bigint {
  if (/^(?:0|[1-9]\d{0,12})$/.test(text)) return BigInt(text);
  return refuse("must be a whole number of currency units from 0 to 9999999999999");
}

/** Reads a variable's text as a number of requests a minute: at least one, or nobody could do anything. */
export function readRateLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  return refuse("must be a whole number from 1 to 999999999");
}

/** Reads a variable's text as a number of threads. */
export function readThreads(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  return refuse("must be a whole number from 0 to 99");
}

/** Reads a variable's text as the address or host name to listen on. */
export function readHost(text: string): string {
  return isIP(text) !== 0 || HOST_NAME.test(text)
    ? text
    : refuse("must be an address such as 127.0.0.1, or a host name");
}

/** Reads a variable's text as the path of a folder or file, and makes it absolute. */
export function readFolder(text: string): string {
  return resolve(text);
}

/** Reads a variable's text as a secret that is sent in a header: long enough not to be guessed. */
export function readToken(text: string): string {
  return /^[\x21-\x7e]{16,}$/.test(text) ? text : refuse("must be 16 or more ASCII characters without spaces");
}

/** Reads a variable's text as the name, or id, of an entity. */
export function readEntity(text: string): string {
  if (text.trim() !== text || text.length > 200) {
    return refuse("must be a name of at most 200 characters, without spaces around it");
  }
  const fault = nameFault(text);
  return fault === undefined ? text : refuse(fault);
}

/** Reads a variable's text as it is, such as an id that another system gave out. */
export function readText(text: string): string {
  return text;
}

/** Makes a reader of a variable's text that accepts only one of the given words. */
export function readOneOf<const Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => words.find((word) => word === text) ?? refuse(`must be ${words.join(" or ")}`);
}

/**
 * Reads a variable's text as the address of a PostgreSQL database; one with several hosts must say which of them is
 * meant.
 */
export function readDatabaseUrl(text: string): string {
  try {
    const { hosts, targetSession } = parseDatabaseUrl(text);
    if (hosts.length === 1 || targetSession !== undefined) return text;
  } catch (error) {
    if (error instanceof DatabaseUrlError) return refuse(error.message);
    throw error;
  }
  return refuse("names several hosts: add ?target_session_attrs=read-write, so that the right one is found");
}

/**
 * Reads a variable's text as the origin that browsers see: https, because passkeys, cookies and cameras need it, but
 * for this machine itself.
 */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : refuse("must be an origin such as https://pay.example.com");
  if (url.origin !== text) return refuse(`must be an origin without path or slash at its end, such as ${url.origin}`);
  if (url.port === "0") return refuse("must be an origin with a port from 1 on");
  if (url.protocol === "https:" || (url.protocol === "http:" && LOCAL_HOST.test(url.hostname))) return text;
  return refuse("must start with https:// (http:// is for localhost only)");
}

/**
 * Reads a variable's text as an http or https address that paths are added to; returns it without slashes at its end.
 */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : refuse("must be an address such as https://api.example.com/v1");
  const { protocol, username, password, search, hash } = url;
  if (protocol !== "https:" && protocol !== "http:") return refuse("must start with https:// or http://");
  if (username + password + search + hash !== "") return refuse("must have no user, password, query or fragment");
  return url.href.replace(/\/+$/, "");
}

/** Reads a variable's text as IP addresses and ranges, separated by commas. */
export function readAddressRanges(text: string): readonly string[] {
  const ranges = text.split(",").map((part) => part.trim());
  if (ranges.every(isAddressRange)) return Object.freeze(ranges);
  return refuse("must be addresses or ranges separated by commas, such as 10.0.0.5,192.168.0.0/16,fd00::/8");
}

/**
 * Reads a variable's text as the addresses and ranges of the proxies that are trusted to name the client's address:
 * never the whole internet.
 */
export function readTrustedProxies(text: string): readonly string[] {
  const ranges = readAddressRanges(text);
  if (ranges.every((range) => Number(range.split("/")[1] ?? 32) > 0)) return ranges;
  return refuse("must not name every address (/0): anybody could then claim any address; name your proxies' own");
}

function isAddressRange(text: string): boolean {
  const [address = "", prefix = "0", ...rest] = text.split("/");
  const mostBits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= mostBits;
}

/** Reads a variable's text as a 32-byte key: 64 hexadecimal characters, or base64 or base64url. */
export function readKey(text: string): Uint8Array {
  const hexadecimal = /^[0-9a-f]{64}$/i.test(text);
  const base64 = /^[\w+/-]{43}=?$/.test(text);
  const key = Buffer.from(text, hexadecimal ? "hex" : "base64");
  if ((hexadecimal || base64) && key.length === KEY_BYTES && key.some((byte) => byte !== key[0])) return key;
  return refuse(`must be ${KEY_BYTES} random bytes as base64 or hexadecimal text: openssl rand -base64 ${KEY_BYTES}`);
}

/**
 * Reads a variable's text as the code of a currency that a payment QR can name; returns it with its number and
 * decimals.
 */
export function readCurrency(text: string) {
  const currency = qrCurrency(text) ?? refuse("must be a currency that Cupo knows, such as COP, USD, EUR, MXN or CLP");
  return Object.freeze({ code: text, ...currency });
}

/**
 * Reads a variable's text as the IANA name of a time zone; an offset would have no summer time, and PostgreSQL reads
 * its sign the other way round.
 */
export function readTimeZone(text: string): string {
  if (/^[A-Za-z]/.test(text) && isTimeZone(text)) return text;
  return refuse("must be a time zone of the IANA list, such as America/Bogota");
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Reads a variable's text as the city of a payment QR (EMVCo tag 60). */
export function readCity(text: string): string {
  if (/^[ -~]{1,15}$/.test(text) && text.trim() === text) return text;
  return refuse("must be 1 to 15 characters without accents (EMVCo tag 60)");
}

/**
 * Reads a variable's text as the scheme's identifier in a payment QR (EMVCo tag 26-00), short so that the signature
 * fits beside it.
 */
export function readQrGuid(text: string): string {
  return /^[!-~]{1,5}$/.test(text) ? text : refuse("must be 1 to 5 printable ASCII characters without spaces");
}
