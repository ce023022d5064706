import type { Device } from "../../../../src/contract/broker/passkeys.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { livePasskeys, type Passkey, renamePasskey } from "../account/passkey-store.ts";

function deviceAnswer(passkey: Passkey, { passkeyId }: PersonPrincipal, now: Date): Device {
  const { id, name, createdAt, lastUsedAt, mayPayFrom } = passkey;
  return {
    ...{ id, name, created_at: toInstant(createdAt) },
    last_used_at: lastUsedAt === null ? null : toInstant(lastUsedAt),
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

/**
 * Renames one of the person's devices and notifies the person's other browsers; a name that it has already leaves no
 * record.
 */
export function renameDevice(broker: BrokerContext): GatedHandler<"person", "renameDevice"> {
  const { sql, clock, newId, audit, push, guardLimit } = broker;
  return async ({ principal, params: { id }, body: { name }, requestId }) => {
    const { personId, sessionHash } = principal;
    takeFromPersonLimit(guardLimit, principal, "rename");
    const before = (await livePasskeys(sql, personId)).find((device) => device.id === id);
    if (before?.name === name) return { body: deviceAnswer(before, principal, clock()) };
    const passkey = await sql.begin("isolation level read committed", async (tx) => {
      await holdPerson(broker, tx, principal);
      const renamed = await renamePasskey(tx, personId, id, name);
      if (renamed === undefined) throw new ApiError("not_found", { detail: "You have no device with this id." });
      await audit(tx, { requestId, principal, action: "rename device", subject: id, outcome: "done" });
      await keepAccountChange(tx, { id: newId(), personId, kind: "device_renamed", sessionHash, now: clock() });
      return renamed;
    });
    push.notifyOfChanges(personId);
    return { body: deviceAnswer(passkey, principal, clock()) };
  };
}
