import { isJsonObject, type JsonObject } from "../../../../src/contract/shared/fields.ts";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Decodes a credential's client data (WebAuthn 3 §5.8.1); undefined where it cannot be read. */
export function clientDataOf({ response }: JsonObject): JsonObject | undefined {
  const data = isJsonObject(response) ? response.clientDataJSON : undefined;
  const read = typeof data === "string" ? parsed(Buffer.from(data, "base64url").toString()) : undefined;
  return isJsonObject(read) ? read : undefined;
}

/**
 * Returns the bytes of the challenge that a credential claims to answer, undefined where it names none: they serve to
 * look the stored challenge up, and prove nothing.
 */
export function answeredChallenge(credential: JsonObject): Uint8Array | undefined {
  const challenge = clientDataOf(credential)?.challenge;
  return typeof challenge === "string" ? Buffer.from(challenge, "base64url") : undefined;
}
