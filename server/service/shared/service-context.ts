import type { BusinessTime } from "../../../src/business-time.ts";
import { ApiError, type Fault } from "../../../src/contract/shared/errors.ts";
import type { Idempotency, Reply } from "../../../src/contract/shared/handler.ts";
import type { Scope } from "../../../src/contract/shared/scopes.ts";
import {
  amountToNumber,
  formatAmount,
  MoneyError,
  numberToAmountText,
  parseOwedAmount,
  parsePositiveAmount,
} from "../../../src/money.ts";
import type { CupoQrPayload, QrAuthenticity, QrSigner } from "../../../src/qr-payload.ts";
import type { Sql } from "../../database/connect.ts";
import type { Sealer } from "../../database/sealer.ts";
import type { ClockWatch } from "../../ledger/clock-watch.ts";
import type { Action, Origin, ResultOf } from "../../ledger/model/command.ts";
import type { Writer } from "../../ledger/writer.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

/** The API client behind a request, the entity that it acts for, and what its token is good for. */
export interface ApiCaller {
  readonly clientId: string;
  readonly entityId: string;
  readonly scopes: readonly Scope[];
  /** The id of the secret that the token was obtained with; a token of an earlier version does not say. */
  readonly secretId: string | undefined;
}

/** The deployment's currency: ISO 4217 code, its number, and how many decimals amounts have. */
export interface Currency {
  readonly code: string;
  readonly numeric: string;
  readonly digits: number;
}

/** The keys that sign and verify payment QRs. */
export interface QrSigning {
  /** The key that signs now. */
  currentKeyId(): string;
  readonly sign: QrSigner;
  /** Verifies that a code was issued here; looks for a key that another process made before it says `unknown_key`. */
  verify(parsed: CupoQrPayload, now: Date): Promise<{ authenticity: QrAuthenticity; expired: boolean }>;
}

/** The part of a rate limiter that is used here. */
interface LookUpLimiter {
  take(key: string, cost?: number): { readonly allowed: boolean; readonly retryAfter: number };
  peek(key: string): { readonly allowed: boolean; readonly retryAfter: number };
  charge(key: string, cost: number): void;
}

/** The limits of look-ups of users that the caller's entity did not create. */
interface ForeignLookUps {
  /** The limit of an entity: with a limit of each client, a new client would be a new limit. */
  readonly perEntity: LookUpLimiter;
  /** The limit of an entity's refusals that are recorded: without a bound they would fill the records. */
  readonly refusals: LookUpLimiter;
}

/** The dependencies of the handlers that only read. */
export interface ReadContext {
  readonly sql: Sql;
  /** For statistics and closed reports, which may come from a replica; else the same pool. */
  readonly readSql: Sql;
  readonly clock: () => Date;
  /** Tells from when on changes may be missing in rows that are read after its answer. */
  readonly changesFrom: () => Promise<Date>;
  readonly currency: Currency;
  /** The limit of one entity's exposure to another where the creditor set none, in minor units. */
  readonly counterpartyLimit: bigint;
  readonly time: BusinessTime;
  readonly foreignLookUps: ForeignLookUps;
}

/** The dependencies of the handlers, each of them injected, so that the tested service is the shipped one. */
export interface ServiceContext extends ReadContext {
  readonly ledger: Writer;
  readonly clockWatch: Pick<ClockWatch, "requireSure">;
  readonly random: (length: number) => Uint8Array;
  readonly qr: QrSigning;
  /** Scheme GUID of our QRs, and the city of a payee that names none. */
  readonly qrGuid: string;
  readonly city: string;
  readonly webhooks: WebhookSettings;
  /** Seals the secrets of a kept answer against readers of the database. */
  readonly sealer: Sealer;
}

/** The detail of every `invalid_request`, beside its faults. */
export const FAULTS_DETAIL = "See errors for each fault.";

/** Throws `invalid_request` with every fault that was found; does nothing when there is none. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: FAULTS_DETAIL, faults });
}

/** Reads an amount on the wire into minor units; the fault goes into `faults`, and zero comes back. */
export function readAmount(currency: Currency, value: number | string, pointer: string, faults: Fault[]): bigint {
  try {
    return parsePositiveAmount(typeof value === "number" ? numberToAmountText(value) : value, currency.digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    faults.push({ pointer, detail: error.message });
    return 0n;
  }
}

/** Reads a sum that may be zero, as {@link readAmount} reads one that may not. */
export function readOwed({ digits }: Currency, text: string, pointer: string, faults: Fault[]): bigint {
  try {
    return parseOwedAmount(text, digits);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    faults.push({ pointer, detail: error.message });
    return 0n;
  }
}

/** Converts minor units to the number in currency units that answers carry. */
export function toNumber(currency: Currency, minor: bigint): number {
  return amountToNumber(minor, currency.digits);
}

/** Converts minor units to decimal text for a sentence, with the currency's code. */
export function toText(currency: Currency, minor: bigint): string {
  return `${formatAmount(minor, currency.digits)} ${currency.code}`;
}

/** The caller and the idempotency key of a request, by which the ledger recognizes its copies. */
export interface PostingCall {
  readonly principal: Pick<ApiCaller, "clientId" | "entityId">;
  readonly idempotency: Idempotency | undefined;
}

/** Builds the ledger's origin of a request: its caller, the operation and the idempotency key. */
export function originOf(operation: string, { principal, idempotency }: PostingCall): Origin {
  const { clientId, entityId } = principal;
  return {
    clientId,
    entityId,
    operation,
    idempotency: idempotency && {
      key: idempotency.key,
      fingerprint: Buffer.from(idempotency.fingerprint).toString("base64url"),
    },
  };
}

/** An action for the ledger, and the answer that is made of its result. Pure: it runs inside the decision. */
export interface Posting<A extends Action, B> {
  readonly action: A;
  readonly answer: (result: ResultOf<A>) => B;
}

/**
 * Posts the action of a request to the ledger, and replies with the answer made of its result; a copy of the request
 * gets the answer that was kept.
 */
export async function post<A extends Action, B extends object>(
  { ledger }: Pick<ServiceContext, "ledger">,
  operation: string,
  call: PostingCall,
  { action, answer }: Posting<A, B>,
): Promise<Reply<B>> {
  const { body, replayed } = await ledger.post({ origin: originOf(operation, call), action, answer });
  return { body: body as B, replayed };
}
