import type { BusinessTime } from "../../src/business-time.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { amountToNumber, MoneyError, numberToAmountText, parsePositiveAmount, sumToNumber } from "../../src/money.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import type { Audit } from "./audit.ts";
import type { BrokerOptions } from "./broker-options.ts";
import type { SignInSessions } from "./principals/sign-in-sessions.ts";
import type { PushSender } from "./push/push-sender.ts";
import type { Hints } from "./streams/hints.ts";
import type { QrKeySource } from "./upstream/qr-keys.ts";

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

/** A limit of what one person or operator does: a session has a part of it, so that no one session uses it up. */
export interface PersonLimit {
  readonly session: RateLimiter;
  readonly person: RateLimiter;
}

/** What the handlers of the broker work with, beside the part of the service that the policy grants each. */
export interface BrokerContext extends Pick<BrokerOptions, Taken> {
  readonly currency: { readonly code: string; readonly digits: number };
  /** Days of the business time zone. */
  readonly time: BusinessTime;
  readonly audit: Audit;
  readonly signIns: SignInSessions;
  readonly qrKeys: QrKeySource;
  /** Sends people's browsers messages. */
  readonly push: PushSender;
  /** Tells waiting pages that there may be something new. */
  readonly hints: Hints;
  /** Sign-ins per address and per passkey: who has another one of the same person uses up none of this one's. */
  readonly signInLimit: RateLimiter;
  /** New widget sessions per merchant; those of its pages count apart, so that nobody uses up its backend's. */
  readonly sessionLimit: RateLimiter;
  /** Sessions that pages start by publishable key, per address: one visitor must not use up what all pages may. */
  readonly pageSessionLimit: RateLimiter;
  /** Codes with an amount that one person makes: each is a row of the service until long after it has expired. */
  readonly codeLimit: PersonLimit;
  /** Sales that a till's session tries, so that no page fills the audit, which is kept for ever. */
  readonly saleLimit: RateLimiter;
  /** What one person or operator does that guards an account or is dear: devices, links, limits, push, statements. */
  readonly guardLimit: PersonLimit;
  /** Refusals that the audit keeps, by whoever was refused: a person, an operator or an address. */
  readonly refusalLimit: RateLimiter;
}

/** Reads an amount of a body into minor units; throws `invalid_request` where the currency cannot have it. */
export function readAmount({ currency }: Pick<BrokerContext, "currency">, amount: number, pointer = "/amount"): bigint {
  try {
    return parsePositiveAmount(numberToAmountText(amount), currency.digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw invalidField(pointer, error.message);
  }
}

/** Minor units as the number of an answer. */
export function toNumber({ currency }: Pick<BrokerContext, "currency">, minor: bigint): number {
  return amountToNumber(minor, currency.digits);
}

/** Minor units of many amounts as the number of an answer, however large they are together. */
export function toSum({ currency }: Pick<BrokerContext, "currency">, minor: bigint): number {
  return sumToNumber(minor, currency.digits);
}

/** A fault of one field of a body. */
export function invalidField(pointer: string, detail: string): ApiError {
  return new ApiError("invalid_request", { detail: "See errors for each fault.", faults: [{ pointer, detail }] });
}

/** Takes one, or as many as something costs, from a limit, or throws `too_many_requests`. */
export function takeFrom(limiter: RateLimiter, key: string, cost = 1): void {
  const { allowed, retryAfter } = limiter.take(key, cost);
  if (!allowed) throw new ApiError("too_many_requests", { detail: `Try again in ${retryAfter} s.`, retryAfter });
}

/** Takes one from a session's part and from the person's whole, or throws `too_many_requests`. */
export function takeOwn(
  { session, person }: PersonLimit,
  { personId, sessionHash }: { readonly personId: string; readonly sessionHash: Uint8Array },
  act = "",
): void {
  takeFrom(session, `${act}:${Buffer.from(sessionHash).toString("base64url")}`);
  takeFrom(person, `${act}:${personId}`);
}

/** A time of the wire. */
export function toInstant(date: Date): string {
  return date.toISOString();
}
