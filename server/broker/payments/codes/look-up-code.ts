import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { checkCode } from "../../../../src/qr-payload.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { ReadText } from "./read-payload.ts";

/**
 * A payment code after its look-up: a dynamic one as the service has it, a static one as printed, with its payee's name
 * from the service.
 */
export interface KnownCode {
  readonly kind: "dynamic" | "static";
  readonly state: "unpaid" | "pending" | "paid" | "expired" | "cancelled";
  readonly payload: string;
  readonly payee: string;
  readonly payeeId: string;
  readonly currency: string;
  readonly checkCode: string;
  /** Of a dynamic code only. */
  readonly amount?: number;
  readonly reference?: string;
  readonly expiresIn?: number;
}

type Service = Pick<Granted<"person", "createScan">, "transactionQr" | "user">;

async function dynamicCode(service: Service, reference: string): Promise<KnownCode> {
  const { body } = await service.transactionQr({ reference });
  return {
    kind: "dynamic",
    state: body.state,
    payload: body.payload,
    payee: body.to_user,
    payeeId: body.to_user_id,
    currency: body.currency,
    checkCode: body.check_code,
    amount: body.amount,
    reference: body.reference,
    expiresIn: body.expires_in,
  };
}

async function staticCode(broker: BrokerContext, service: Service, read: ReadText & { kind: "code" }) {
  const { payload, code } = read;
  const payee = await findPayee(service, code.fields.payeeId);
  return {
    kind: "static",
    state: "unpaid",
    payload,
    payee: payee.business_name ?? payee.name,
    payeeId: payee.id,
    currency: broker.currency.code,
    checkCode: await checkCode(code.signature),
  } satisfies KnownCode;
}

async function findPayee(service: Service, id: string) {
  try {
    return (await service.user({ id })).body;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "user_not_found") throw error;
    throw new ApiError("qr_not_found", { detail: "The payee of this code is no longer there.", cause: error });
  }
}

/**
 * Looks a payment code up at the service, whose record of a dynamic one decides, not the print. Throws `qr_not_found`,
 * and `qr_not_authentic` where print and record differ.
 */
export async function lookUpCode(broker: BrokerContext, service: Service, read: ReadText): Promise<KnownCode> {
  if (read.kind === "reference") return dynamicCode(service, read.reference);
  const { reference } = read.code.fields;
  if (reference === undefined) return staticCode(broker, service, read);
  const code = await dynamicCode(service, reference);
  if (code.payload === read.payload) return code;
  throw new ApiError("qr_not_authentic", { detail: "This code differs from the one that was issued: do not pay it." });
}
