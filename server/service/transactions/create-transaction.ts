import type * as contract from "../../../src/contract/service/transactions.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { parseQrPayload } from "../../../src/qr-payload.ts";
import type { Payment, Refusal, Refuse } from "../../ledger/model/command.ts";
import type { PaidQr } from "../../ledger/model/qr-commands.ts";
import { type ApiCaller, post, type ServiceContext } from "../shared/service-context.ts";
import { readPayment } from "./read-payment.ts";
import { transactionAnswer } from "./transaction-answer.ts";

/**
 * True if free data is meant as one of our codes; anything else is the caller's own (interface: QR). Our GUID anywhere
 * decides that: a code that lost its start, or a link that carries one, must not be paid as if it were none and stay
 * payable.
 */
function isOurs(value: unknown, guid: string): value is string {
  return typeof value === "string" && value.includes(`00${String(guid.length).padStart(2, "0")}${guid}`);
}

/**
 * Reads `details.qr`, without white space around it: the code that is paid, its form and signature checked, or why it
 * is refused; undefined for ordinary data.
 */
async function readPaidQr(service: ServiceContext, value: unknown): Promise<PaidQr | Refusal | undefined> {
  if (!isOurs(value, service.qrGuid)) return undefined;
  const parsed = parseQrPayload(value.trim(), service.qrGuid);
  if (parsed.kind !== "cupo") {
    return { code: "qr_not_authentic", detail: "The QR code is damaged: read it again or ask for another." };
  }
  const { authenticity } = await service.qr.verify(parsed, service.clock());
  if (authenticity !== "authentic" || parsed.fields.currency.numeric !== service.currency.numeric) {
    return { code: "qr_not_authentic", detail: "The QR code was not issued here, or was altered." };
  }
  return { reference: parsed.fields.reference, payeeId: parsed.fields.payeeId, amount: parsed.fields.amountMinor };
}

async function actionOf(service: ServiceContext, body: contract.TransactionInput): Promise<Payment | Refuse> {
  const payment = readPayment(service, body);
  const qr = await readPaidQr(service, body.details?.qr);
  if (qr === undefined) return payment;
  if ("code" in qr) return { type: "refuse", refusal: qr };
  return { ...payment, kind: "qr", qr };
}

/**
 * Makes a payment from one user to another: settled, held or recorded as rejected, as the caller requests it, and
 * rejected where its money cannot move. Where `details.qr` holds one of our codes, its signature is verified, and the
 * payment pays that code.
 */
export function createTransaction(service: ServiceContext): Handler<typeof contract.createTransaction, ApiCaller> {
  return async (call) => {
    const action = await actionOf(service, call.body);
    return post(service, "createTransaction", call, {
      action,
      answer: (record) => transactionAnswer(record, call.principal.entityId, service),
    });
  };
}
