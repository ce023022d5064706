import { hash } from "node:crypto";
import type { Fault } from "../../src/contract/shared/errors.ts";
import { canonicalJson } from "./canonical-json.ts";

/** The name of the idempotency key's header, also as faults call it. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

const WELL_FORMED = /^[\x20-\x7e]{1,255}$/;

/** Returns the faults of an `Idempotency-Key`; none when the header was not sent. */
export function idempotencyKeyFaults(key: string | null): Fault[] {
  if (key === null || WELL_FORMED.test(key)) return [];
  return [{ parameter: IDEMPOTENCY_KEY, detail: "must be 1 to 255 printable ASCII characters" }];
}

/**
 * Returns the fingerprint of a request with an idempotency key: SHA-256 of the body in RFC 8785 form. Where the path
 * names the thing that is changed, its parameters are included.
 */
export function fingerprintOf(body: unknown, params?: unknown): Uint8Array {
  const parts = [body, params].map((part) => (part === undefined ? "" : canonicalJson(part)));
  return hash("sha256", params === undefined ? `${parts[0]}` : parts.join("\n"), "buffer");
}
