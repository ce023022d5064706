import { ApiError, type Fault } from "../../../src/contract/errors.ts";
import type { Call, Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/qr.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import { foldToAscii } from "../../../src/qr-payload/fold-to-ascii.ts";
import { encodeQrPayload, QrPayloadError } from "../../../src/qr-payload.ts";
import { foldName } from "../../ledger/decide-payment.ts";
import { type ApiCaller, originOf, readAmount, refuseFaults, type ServiceContext } from "../service-context.ts";
import { readDate } from "../transactions/create-transaction.ts";
import { findUser, type UserRecord } from "../users/find-user.ts";
import { renderQr, type StoredQr } from "./render-qr.ts";

const DEFAULT_EXPIRES_IN = 900;
const CITY_LENGTH = 15;

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

async function payeeOf(service: ServiceContext, body: QrCall["body"]): Promise<UserRecord> {
  const payee = await findUser(service, { id: body.to_user_id });
  if (payee === undefined) {
    throw new ApiError("user_not_found", { detail: "There is no user with the id in to_user_id." });
  }
  const names = [payee.name, payee.businessName].flatMap((name) => (name === null ? [] : [foldName(name)]));
  if (body.to_user !== undefined && !names.includes(foldName(body.to_user))) {
    const faults = [{ pointer: "/to_user", detail: "is not the name of to_user_id" }];
    throw new ApiError("name_mismatch", { detail: "Check the id, or leave the name out.", faults });
  }
  return payee;
}

async function encode(service: ServiceContext, { payee, amount, reference, expiresAt }: Wanted) {
  const city = payee.paymentData.city;
  try {
    return await encodeQrPayload(
      {
        guid: service.qrGuid,
        payeeId: payee.id,
        payee: payee.businessName ?? payee.name,
        payeeNit: payee.nit,
        city: (typeof city === "string" && foldToAscii(city, CITY_LENGTH)) || service.city,
        currency: service.currency,
        keyId: service.qr.currentKeyId(),
        purpose: "purchase",
        ...(amount === undefined
          ? {}
          : { amountMinor: amount, reference, expiresAt: Math.floor(expiresAt.getTime() / 1000) }),
      },
      service.qr.sign,
    );
  } catch (error) {
    if (error instanceof QrPayloadError && error.code === "amount_too_large_for_qr") {
      throw new ApiError("amount_too_large_for_qr", {
        detail: "A QR code carries at most 9999999999.99.",
        cause: error,
      });
    }
    throw error;
  }
}

async function reserve(service: ServiceContext, call: QrCall, wanted: Wanted) {
  const { payload, checkCode } = await encode(service, wanted);
  const { amount, payee, fromUserId, reference, createdAt, expiresAt, details } = wanted;
  const origin = originOf("createTransactionQr", call);
  if (amount === undefined) {
    const answer = (): StoredQr => ({ payload, check_code: checkCode });
    return service.ledger.post({ origin, action: { type: "remember" }, answer });
  }
  const reservation = { reference, payload, checkCode, fromUserId, amount, details, createdAt, expiresAt };
  return service.ledger.post({
    origin,
    action: { type: "reserve-qr", ...reservation, toUserId: payee.id, toUser: payee.businessName ?? payee.name },
    answer: (qr): StoredQr => ({
      reference: qr.reference,
      payload: qr.payload,
      check_code: qr.checkCode,
      expires_at: qr.expiresAt.toISOString(),
    }),
  });
}

/** Makes a QR: dynamic with an amount, static without; the image is drawn anew for each answer. */
export function createTransactionQr(service: ServiceContext): Handler<typeof contract.createTransactionQr, ApiCaller> {
  return async (call) => {
    const { body } = call;
    const { faults, amount } = faultsOf(service, body);
    refuseFaults(faults);
    const payee = await payeeOf(service, body);
    // Whole seconds, because that is what the payload carries.
    const createdAt = service.clock();
    const seconds = Math.floor(createdAt.getTime() / 1000) + (body.expires_in ?? DEFAULT_EXPIRES_IN);
    const posted = await reserve(service, call, {
      payee,
      amount,
      fromUserId: body.from_user_id?.toLowerCase(),
      reference: createPaymentReference(service.random),
      createdAt,
      expiresAt: new Date(seconds * 1000),
      details: JSON.stringify(body.details ?? {}),
    });
    const reply = renderQr(posted.body as StoredQr, call.mediaType, payee.businessName ?? payee.name, service.clock());
    return { ...reply, replayed: posted.replayed };
  };
}
