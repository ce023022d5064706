import { ECDH } from "node:crypto";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, invalidField, takeFromPersonLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { pushKeys } from "./push-keys.ts";
import { endPushSubscription, savePushSubscription } from "./push-store.ts";

const POINT_BYTES = 65;
const SECRET_BYTES = 16;

/** Answers the public key with which browsers subscribe to push messages (RFC 8292). */
export function myPush({ key }: BrokerContext): GatedHandler<"person", "myPush"> {
  const { publicKey } = pushKeys(key);
  return async () => ({ body: { public_key: publicKey } });
}

function refuseBytes(text: string, bytes: number, pointer: string): void {
  if (/^[\w-]+=*$/.test(text) && Buffer.from(text, "base64url").length === bytes) return;
  throw invalidField(pointer, `must be ${bytes} bytes, base64url, as the browser's subscription has them`);
}

/** A point off the curve would fail only when a message is sent, and keep it from the person's other browsers. */
function refusePoint(text: string, pointer: string): void {
  refuseBytes(text, POINT_BYTES, pointer);
  try {
    ECDH.convertKey(text, "prime256v1", "base64url");
  } catch {
    throw invalidField(pointer, "must be a point of the curve P-256, as the browser's subscription has it");
  }
}

async function isAdmitted(sender: BrokerContext["push"], endpoint: string): Promise<boolean> {
  try {
    return await sender.admits(endpoint);
  } catch (error) {
    throw new ApiError("unavailable", { retryAfter: 5, cause: error });
  }
}

/**
 * Subscribes this browser to push messages about arriving money, corrected outcomes and account changes, while its
 * sign-in session lives.
 */
export function startMyPush(broker: BrokerContext): GatedHandler<"person", "startMyPush"> {
  const { sql, audit, newId, clock, guardLimit, push } = broker;
  return async ({ principal, body, requestId }) => {
    takeFromPersonLimit(guardLimit, principal, "push");
    const { endpoint, keys, language } = body;
    refusePoint(keys.p256dh, "/keys/p256dh");
    refuseBytes(keys.auth, SECRET_BYTES, "/keys/auth");
    if (!(await isAdmitted(push, endpoint))) {
      throw new ApiError("not_allowed", { detail: "A push service is reached over https, at a public address." });
    }
    const { personId, sessionHash } = principal;
    const id = newId();
    await savePushSubscription(sql, { id, sessionHash, personId, endpoint, ...keys, language }, clock());
    await audit(sql, { requestId, principal, action: "start push", subject: id, outcome: "on" });
    return { body: { on: true } };
  };
}

/** Ends this browser's subscription to push messages. */
export function endMyPush({ sql, clock, audit, guardLimit }: BrokerContext): GatedHandler<"person", "endMyPush"> {
  return async ({ principal, body, requestId }) => {
    takeFromPersonLimit(guardLimit, principal, "push");
    await endPushSubscription(sql, principal.personId, body.endpoint, clock());
    await audit(sql, { requestId, principal, action: "end push", outcome: "off" });
    return { body: { on: false } };
  };
}
