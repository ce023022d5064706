import type * as contract from "../../../src/contract/service/qr.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../../src/contract/shared/handler.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { maxQrAmountMinor } from "../../../src/qr-payload/signed-part.ts";
import { encodeQrPayload } from "../../../src/qr-payload.ts";
import { foldName } from "../../ledger/decide/decide-payment.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import { readDate } from "../shared/read-date.ts";
import {
  type ApiCaller,
  originOf,
  readAmount,
  refuseFaults,
  type ServiceContext,
  toNumber,
} from "../shared/service-context.ts";
import { secondsUntil } from "../transactions/find-qr.ts";
import type { UserRecord } from "../users/find-user.ts";
import { lookUpUser } from "../users/look-up-user.ts";
import { writtenInAscii } from "./written-in-ascii.ts";

/** The kept part of a QR's answer: all but its age, which is told anew, and its image, which {@link drawQr} adds. */
interface StoredQr {
  readonly reference?: string;
  readonly payload: string;
  readonly check_code: string;
  readonly expires_at?: string;
  /** `to_user` of the answer. */
  readonly payee: string;
}

const DEFAULT_EXPIRES_IN = 900;
const [PAYEE_LENGTH, CITY_LENGTH] = [25, 15];
/** ISO 18245: miscellaneous and specialty retail stores. */
const UNKNOWN_CATEGORY = "5999";

type QrCall = Call<typeof contract.createTransactionQr, ApiCaller>;

interface Wanted {
  readonly payee: UserRecord;
  readonly fromUserId: string | undefined;
  readonly amount: bigint | undefined;
  readonly reference: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly details: string;
}

function faultsOf(service: ServiceContext, body: QrCall["body"]): { faults: Fault[]; amount: bigint | undefined } {
  const faults: Fault[] = [];
  const amount = body.amount === undefined ? undefined : readAmount(service.currency, body.amount, "/amount", faults);
  readDate(service, body.date, faults);
  if (body.from_user_id?.toLowerCase() === body.to_user_id.toLowerCase()) {
    faults.push({ pointer: "/to_user_id", detail: "must differ from from_user_id" });
  }
  if (body.from_user !== undefined && body.from_user_id === undefined) {
    faults.push({ pointer: "/from_user", detail: "needs from_user_id: a name alone fixes no payer" });
  }
  // A static code reserves nothing, so there is nothing to fix a payer, a reference or an expiry to.
  for (const field of ["from_user_id", "expires_in"] as const) {
    if (amount === undefined && body[field] !== undefined) {
      faults.push({
        pointer: `/${field}`,
        detail: "needs an amount: a code without one is reusable and does not expire",
      });
    }
  }
  return { faults, amount };
}

function isNamed({ name, businessName }: UserRecord, sent: string | undefined): boolean {
  const names = [name, businessName].flatMap((known) => (known === null ? [] : [foldName(known)]));
  return sent === undefined || names.includes(foldName(sent));
}

/** The payee's creator takes a payment's `qr_details` for what it put into the code itself, such as its order. */
const strangeDetails: Refusal = {
  code: "invalid_request",
  detail: "Another entity created the payee: leave the details out.",
  faults: [{ pointer: "/details", detail: "goes with a payee that your entity created" }],
};

/** Finds the payee, or the refusal of such a QR; either party is looked up as get-user does it. */
async function payeeOf(service: ServiceContext, call: QrCall): Promise<UserRecord | Refusal> {
  const { body, principal } = call;
  const { from_user_id: payerId } = body;
  const [payee, payer] = await Promise.all([
    lookUpUser(service, { id: body.to_user_id }, call),
    payerId === undefined ? undefined : lookUpUser(service, { id: payerId }, call),
  ]);
  if (payerId !== undefined && payer === undefined) {
    return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  }
  if (payee === undefined) return { code: "user_not_found", detail: "There is no user with the id in to_user_id." };
  const faults = [
    ...(payer === undefined || isNamed(payer, body.from_user) ? [] : [nameFault("from_user")]),
    ...(isNamed(payee, body.to_user) ? [] : [nameFault("to_user")]),
  ];
  if (faults.length > 0) {
    return {
      code: "name_mismatch",
      detail: "Check the ids: a name belongs to another user. Or leave the names out.",
      faults,
    };
  }
  const hasDetails = Object.keys(body.details ?? {}).length > 0;
  return hasDetails && payee.creatorId !== principal.entityId ? strangeDetails : payee;
}

function nameFault(field: "from_user" | "to_user"): Fault {
  return { pointer: `/${field}`, detail: `is not the name of ${field}_id` };
}

const tooLarge: Refusal = {
  code: "amount_too_large_for_qr",
  detail: "A QR code carries at most 13 characters of amount: ask for less, or leave the amount to the payer.",
};

/** Facts of the payee that its creator alone may know, and so writes into a code. */
function ownFacts({ nit, paymentData: { city, mcc } }: UserRecord) {
  const written = typeof city === "string" ? writtenInAscii(city, CITY_LENGTH) : "";
  const category = typeof mcc === "number" ? String(mcc).padStart(4, "0") : mcc;
  const isCategory = typeof category === "string" && /^(?!0000)[0-9]{4}$/.test(category);
  return {
    payeeNit: nit,
    ...(written === "" ? {} : { city: written }),
    ...(isCategory ? { merchantCategory: category } : {}),
  };
}

/** The payee's name; where no letter of it can be written, `USER ` and the end of its NIT or id. */
function payeeText({ id, nit, name, businessName, creatorId }: UserRecord, { entityId }: ApiCaller): string {
  const known = creatorId === entityId ? nit : id;
  return writtenInAscii(businessName ?? name, PAYEE_LENGTH) || `USER ${known.slice(-4)}`;
}

async function encode(service: ServiceContext, call: QrCall, { payee, amount, reference, expiresAt }: Wanted) {
  return encodeQrPayload(
    {
      guid: service.qrGuid,
      payeeId: payee.id,
      payee: payeeText(payee, call.principal),
      city: service.city,
      merchantCategory: UNKNOWN_CATEGORY,
      ...(payee.creatorId === call.principal.entityId ? ownFacts(payee) : {}),
      currency: service.currency,
      keyId: service.qr.currentKeyId(),
      purpose: "purchase",
      ...(amount === undefined
        ? {}
        : { amountMinor: amount, reference, expiresAt: Math.floor(expiresAt.getTime() / 1000) }),
    },
    service.qr.sign,
  );
}

async function reserve(service: ServiceContext, call: QrCall, wanted: Wanted) {
  const { payload, checkCode } = await encode(service, call, wanted);
  const { amount, payee, fromUserId, reference, createdAt, expiresAt, details } = wanted;
  const origin = originOf("createTransactionQr", call);
  const toUser = payee.businessName ?? payee.name;
  if (amount === undefined) {
    const answer = (): StoredQr => ({ payload, check_code: checkCode, payee: toUser });
    return service.ledger.post({ origin, action: { type: "remember" }, answer });
  }
  const reservation = { reference, payload, checkCode, fromUserId, amount, details, createdAt, expiresAt };
  return service.ledger.post({
    origin,
    action: { type: "reserve-qr", ...reservation, toUserId: payee.id, toUser },
    answer: (qr): StoredQr => ({
      reference: qr.reference,
      payload: qr.payload,
      check_code: qr.checkCode,
      expires_at: qr.expiresAt.toISOString(),
      payee: toUser,
    }),
  });
}

async function make(service: ServiceContext, call: QrCall, amount: bigint | undefined) {
  const { body } = call;
  const isTooLarge = amount !== undefined && amount > maxQrAmountMinor(service.currency.digits);
  const payee = isTooLarge ? tooLarge : await payeeOf(service, call);
  if ("code" in payee) {
    const origin = originOf("createTransactionQr", call);
    return service.ledger.post({ origin, action: { type: "refuse", refusal: payee }, answer: () => undefined });
  }
  // Whole seconds, because that is what the payload carries.
  const createdAt = service.clock();
  const seconds = Math.floor(createdAt.getTime() / 1000) + (body.expires_in ?? DEFAULT_EXPIRES_IN);
  return reserve(service, call, {
    payee,
    amount,
    fromUserId: body.from_user_id?.toLowerCase(),
    reference: createPaymentReference(service.random),
    createdAt,
    expiresAt: new Date(seconds * 1000),
    details: JSON.stringify(body.details ?? {}),
  });
}

/** Makes a payment code: dynamic with an amount, static without; {@link drawQr} completes its answer. */
export function createTransactionQr(service: ServiceContext): Handler<typeof contract.createTransactionQr, ApiCaller> {
  return async (call) => {
    const { faults, amount } = faultsOf(service, call.body);
    refuseFaults(faults);
    const posted = await make(service, call, amount);
    const { payee, ...qr } = posted.body as StoredQr;
    const { code: currency } = service.currency;
    const sum = amount === undefined ? {} : { amount: toNumber(service.currency, amount) };
    const asked = { to_user_id: call.body.to_user_id.toLowerCase(), ...sum, currency, to_user: payee };
    const { expires_at: expiresAt } = qr;
    const left = expiresAt === undefined ? {} : { expires_in: secondsUntil(new Date(expiresAt), service.clock()) };
    return { body: { ...qr, ...asked, ...left }, replayed: posted.replayed };
  };
}
