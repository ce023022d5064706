import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { checkCode } from "../../../../src/qr-payload.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { namedUser, namesFor } from "../../people/contacts/tell-names.ts";
import type { ReadText } from "./read-payload.ts";

/**
 * A payment code after its look-up: a dynamic one as the service has it, a static one as printed, with its payee's name
 * from the service as the person is told it.
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

/** The broker, and the person who looks at a code. */
interface Looking extends Pick<BrokerContext, "sql" | "currency"> {
  readonly viewerId: string;
}

async function dynamicCode(looking: Looking, service: Service, reference: string): Promise<KnownCode> {
  const { body } = await service.transactionQr({ reference });
  return {
    kind: "dynamic",
    state: body.state,
    payload: body.payload,
    payee: await payeeOf(looking, service, body),
    payeeId: body.to_user_id,
    currency: body.currency,
    checkCode: body.check_code,
    amount: body.amount,
    reference: body.reference,
    expiresIn: body.expires_in,
  };
}

/** Returns the payee's name as the person is told it; asks who it is only where that depends on it. */
async function payeeOf(
  { sql, viewerId }: Looking,
  service: Service,
  { to_user_id: id, to_user: name }: { readonly to_user_id: string; readonly to_user: string },
): Promise<string> {
  const nameOf = await namesFor(sql, viewerId, [{ id }]);
  const told = nameOf({ id, name, inFull: false });
  return told === name ? name : nameOf({ ...namedUser(await findPayee(service, id)), name });
}

async function staticCode(looking: Looking, service: Service, read: ReadText & { kind: "code" }) {
  const { payload, code } = read;
  const payee = namedUser(await findPayee(service, code.fields.payeeId));
  const nameOf = await namesFor(looking.sql, looking.viewerId, [payee]);
  return {
    kind: "static",
    state: "unpaid",
    payload,
    payee: nameOf(payee),
    payeeId: payee.id,
    currency: looking.currency.code,
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
 * Looks a payment code up at the service for the person with the user id `viewerId`. The service's record of a dynamic
 * code decides, not the print. Throws `qr_not_found`, and `qr_not_authentic` where print and record differ.
 */
export async function lookUpCode(
  { sql, currency }: BrokerContext,
  viewerId: string,
  service: Service,
  read: ReadText,
): Promise<KnownCode> {
  const looking = { sql, currency, viewerId };
  if (read.kind === "reference") return dynamicCode(looking, service, read.reference);
  const { reference } = read.code.fields;
  if (reference === undefined) return staticCode(looking, service, read);
  const code = await dynamicCode(looking, service, reference);
  if (code.payload === read.payload) return code;
  throw new ApiError("qr_not_authentic", { detail: "This code differs from the one that was issued: do not pay it." });
}
