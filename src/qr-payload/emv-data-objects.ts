import { QrPayloadError } from "./qr-payload-error.ts";

/** One id, length, value of an EMV code; positions count characters from the start of the whole code. */
export interface EmvDataObject {
  readonly id: string;
  readonly value: string;
  readonly position: number;
  readonly valuePosition: number;
}

/** The faults of the id-length-value structure. */
export type EmvStructureFault = "truncated" | "bad_id" | "bad_length" | "duplicate_id";

/** The data objects of one level, or the first fault and where it is. */
export type EmvDataObjects =
  | { ok: true; objects: readonly EmvDataObject[] }
  | { ok: false; fault: EmvStructureFault; position: number };

/**
 * Splits one level of an EMV code into its data objects (EMVCo QRCPS-MPM 1.1, §3.2: two-digit id, two-digit length
 * of 01 to 99 in characters, no id twice). `characters` is the code by code points; `from` and `to` bound the level.
 */
export function readEmvDataObjects(characters: readonly string[], from: number, to: number): EmvDataObjects {
  const objects: EmvDataObject[] = [];
  const seen = new Set<string>();
  for (let position = from; position < to; ) {
    const id = characters.slice(position, position + 2).join("");
    const length = characters.slice(position + 2, position + 4).join("");
    const valuePosition = position + 4;
    const end = valuePosition + Number(length);
    if (valuePosition > to) return { ok: false, fault: "truncated", position };
    if (!/^[0-9]{2}$/.test(id)) return { ok: false, fault: "bad_id", position };
    if (!/^[0-9]{2}$/.test(length) || length === "00")
      return { ok: false, fault: "bad_length", position: position + 2 };
    if (end > to) return { ok: false, fault: "truncated", position };
    if (seen.has(id)) return { ok: false, fault: "duplicate_id", position };
    seen.add(id);
    objects.push({ id, value: characters.slice(valuePosition, end).join(""), position, valuePosition });
    position = end;
  }
  return { ok: true, objects };
}

/** Writes one data object. Throws {@link QrPayloadError} when the value does not fit a length of 01 to 99. */
export function writeEmvDataObject(id: string, value: string): string {
  if (value.length < 1 || value.length > 99) {
    throw new QrPayloadError("invalid_qr_field", id, `EMV field ${id} cannot hold ${value.length} characters`);
  }
  return id + String(value.length).padStart(2, "0") + value;
}

/** True if the standard defines this root id as a template, whose value is data objects again. */
export function isEmvTemplate(id: string): boolean {
  const number = Number(id);
  return (number >= 26 && number <= 51) || number === 62 || number === 64 || number >= 80;
}

/** CRC-16/CCITT-FALSE of the UTF-8 bytes, as the four capital hexadecimal digits of field 63. */
export function emvChecksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}
