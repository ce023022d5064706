import { parseQrPayload } from "../../../src/qr-payload.ts";
import type { Refusal } from "../../ledger/command.ts";
import type { PaidQr } from "../../ledger/qr-commands.ts";
import type { ServiceContext } from "../service-context.ts";

const EMV_START = "000201";

/** Whether free data claims to be one of our codes; anything else is the caller's own (interface: QR). */
function isOurs(value: unknown, guid: string): value is string {
  if (typeof value !== "string" || !value.startsWith(EMV_START)) return false;
  return value.includes(`00${String(guid.length).padStart(2, "0")}${guid}`);
}

/**
 * Reads `details.qr`: the code that is paid, its form and signature checked, or why it is refused; undefined for
 * ordinary data.
 */
export async function readPaidQr(service: ServiceContext, value: unknown): Promise<PaidQr | Refusal | undefined> {
  if (!isOurs(value, service.qrGuid)) return undefined;
  const parsed = parseQrPayload(value, service.qrGuid);
  if (parsed.kind !== "cupo") {
    return { code: "qr_not_authentic", detail: "The QR code is damaged: read it again or ask for another." };
  }
  const { authenticity } = await service.qr.verify(parsed, service.clock());
  if (authenticity !== "authentic" || parsed.fields.currency.numeric !== service.currency.numeric) {
    return { code: "qr_not_authentic", detail: "The QR code was not issued here, or was altered." };
  }
  return { reference: parsed.fields.reference, payeeId: parsed.fields.payeeId, amount: parsed.fields.amountMinor };
}
