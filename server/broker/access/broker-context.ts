import type { BusinessTime } from "../../../src/business-time.ts";
import type { QrKeys } from "../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import {
  amountToNumber,
  MoneyError,
  numberToAmountText,
  parsePositiveAmount,
  sumToNumber,
} from "../../../src/money.ts";
import type { RateLimiter } from "../../http/rate-limiter.ts";
import type { Audit } from "./audit.ts";
import type { Authenticator } from "./authenticator.ts";
import type { BrokerOptions } from "./broker-options.ts";
import type { ChangeNotifications, PushSender } from "./notifiers.ts";
import type { SignInSessions } from "./sign-in-sessions.ts";

/** Reads the service's QR keys, the public keys that verify payment codes, through a cache. */
export interface QrKeySource {
  /** The list, at most five minutes old. */
  get(): Promise<QrKeys>;
  /** Fetches the list anew, for a code whose key is not in the cached one; at most every ten seconds. */
  renew(): Promise<QrKeys>;
}

type Taken =
  | "sql"
  | "publicOrigin"
  | "qrGuid"
  | "timeZone"
  | "key"
  | "clock"
  | "now"
  | "random"
  | "newId"
  | "wait"
  | "log"
  | "merchantWebhooks";

/** The dependencies of storing a record: ids, random bytes, and the time at which it is made. */
export interface RecordCreation {
  readonly newId: () => string;
  readonly random: (length: number) => Uint8Array;
  readonly now: Date;
}

/**
 * Rate limits for each person or operator: one for each sign-in session, and a larger one for all sessions of the
 * person together, so that no session uses up the person's limit alone.
 */
export interface PersonLimit {
  readonly session: RateLimiter;
  readonly person: RateLimiter;
}

/** Dependencies of the broker's handlers, besides the part of the service that the policy grants each. */
export interface BrokerContext extends Pick<BrokerOptions, Taken> {
  readonly currency: { readonly code: string; readonly digits: number };
  /** Days of the business time zone. */
  readonly time: BusinessTime;
  readonly audit: Audit;
  readonly signIns: SignInSessions;
  readonly authenticator: Authenticator;
  readonly qrKeys: QrKeySource;
  /** Sends people's browsers messages. */
  readonly push: PushSender;
  /** Notifies waiting pages that there may be something new. */
  readonly hints: ChangeNotifications;
  /** Sign-ins per address and per passkey: the holder of one of a person's passkeys uses up nothing of another's. */
  readonly signInLimit: RateLimiter;
  /** New widget sessions per merchant; its pages' sessions count apart, so that no visitor uses up its backend's. */
  readonly sessionLimit: RateLimiter;
  /** Sessions that pages start by publishable key, per address: one visitor must not use up the limit of all pages. */
  readonly pageSessionLimit: RateLimiter;
  /** Codes with an amount that one person makes: each is a row of the service until long after it has expired. */
  readonly codeLimit: PersonLimit;
  /** Sales that a till's session tries, so that no page fills the audit, which is kept for ever. */
  readonly saleLimit: RateLimiter;
  /** Refunds that a merchant's backend asks for. */
  readonly refundLimit: RateLimiter;
  /** Acts of a person or operator that guard an account or are expensive: devices, links, limits, push, statements. */
  readonly guardLimit: PersonLimit;
  /** Refusals that the audit keeps, per refused person, operator or address. */
  readonly refusalLimit: RateLimiter;
}

/**
 * Converts an amount of a request's body, in currency units, to minor units; throws `invalid_request`, with the field's
 * `pointer`, for one that is not positive, too large, or has more decimals than the currency.
 */
export function readAmount({ currency }: Pick<BrokerContext, "currency">, amount: number, pointer = "/amount"): bigint {
  try {
    return parsePositiveAmount(numberToAmountText(amount), currency.digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw invalidField(pointer, error.message);
  }
}

/** Converts an amount in minor units to the number of currency units that an answer carries. */
export function toNumber({ currency }: Pick<BrokerContext, "currency">, minor: bigint): number {
  return amountToNumber(minor, currency.digits);
}

/**
 * Converts a sum of many amounts in minor units to currency units, as an answer carries them: a value typed as a
 * number, of which JSON writes every digit, even of more than a double holds.
 */
export function toSum({ currency }: Pick<BrokerContext, "currency">, minor: bigint): number {
  return sumToNumber(minor, currency.digits);
}

/** Makes the `invalid_request` error for one faulty field of a body, named by its JSON Pointer. */
export function invalidField(pointer: string, detail: string): ApiError {
  return new ApiError("invalid_request", { detail: "See errors for each fault.", faults: [{ pointer, detail }] });
}

/**
 * Takes one request, or `cost`, from the key's bucket of a rate limit; throws `too_many_requests` where that much is
 * not left.
 */
export function takeFromLimit(limiter: RateLimiter, key: string, cost = 1): void {
  const { allowed, retryAfter } = limiter.take(key, cost);
  if (!allowed) throw new ApiError("too_many_requests", { detail: `Try again in ${retryAfter} s.`, retryAfter });
}

/**
 * Takes one request from the rate limits of a sign-in session and of its person; throws `too_many_requests` where
 * either is used up. Each `act` is counted apart.
 */
export function takeFromPersonLimit(
  { session, person }: PersonLimit,
  { personId, sessionHash }: { readonly personId: string; readonly sessionHash: Uint8Array },
  act = "",
): void {
  takeFromLimit(session, `${act}:${Buffer.from(sessionHash).toString("base64url")}`);
  takeFromLimit(person, `${act}:${personId}`);
}

/** Formats a time as answers carry it: RFC 3339 in UTC, with milliseconds. */
export function toInstant(date: Date): string {
  return date.toISOString();
}
