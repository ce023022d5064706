import { parseQrPayload } from "../../../src/qr-payload.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import type { PaidQr } from "../../ledger/model/qr-commands.ts";
import type { ServiceContext } from "../shared/service-context.ts";

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
export async function readPaidQr(service: ServiceContext, value: unknown): Promise<PaidQr | Refusal | undefined> {
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
