import { ApiError } from "../../../src/contract/errors.ts";
import type { Device } from "../../../src/contract/passkeys.ts";
import { type BrokerContext, takeFrom, toInstant } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { livePasskeys, type Passkey, renamePasskey } from "../passkeys/passkey-store.ts";
import type { PersonPrincipal } from "../principals/principal.ts";

function deviceAnswer(passkey: Passkey, { passkeyId }: PersonPrincipal, now: Date): Device {
  const { id, name, createdAt, lastUsedAt, mayPayFrom } = passkey;
  return {
    ...{ id, name, created_at: toInstant(createdAt) },
    last_used_at: lastUsedAt === undefined ? null : toInstant(lastUsedAt),
    ...(mayPayFrom > now ? { may_pay_from: toInstant(mayPayFrom) } : {}),
    current: id === passkeyId,
  };
}

/** Lists the person's devices. */
export function myDevices({ sql, clock }: BrokerContext): GatedHandler<"person", "myDevices"> {
  return async ({ principal }) => {
    const passkeys = await livePasskeys(sql, principal.personId);
    const now = clock();
    return { body: passkeys.map((passkey) => deviceAnswer(passkey, principal, now)) };
  };
}

/** Gives one of the person's devices another name. */
export function renameDevice({ sql, clock, audit, guardLimit }: BrokerContext): GatedHandler<"person", "renameDevice"> {
  return async ({ principal, params: { id }, body: { name }, requestId }) => {
    takeFrom(guardLimit, `rename:${principal.personId}`);
    const passkey = await renamePasskey(sql, principal.personId, id, name);
    if (passkey === undefined) throw new ApiError("not_found", { detail: "You have no device with this id." });
    await audit(sql, { requestId, principal, action: "rename device", subject: id, outcome: "done" });
    return { body: deviceAnswer(passkey, principal, clock()) };
  };
}
