import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import type { Tx } from "../../../database/connect.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { holdPerson } from "../../access/hold-person.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { endedSessionCookie } from "../../access/session-cookie.ts";
import { endSessionsOfPasskey } from "../../access/sign-in-sessions.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { isInFirstDay, mayNotRemoveOlder } from "../account/first-day.ts";
import { livePasskeys, type Passkey, removePasskey } from "../account/passkey-store.ts";
import { requireProof } from "../account/require-proof.ts";
import { withdrawOwnEnrolments } from "./enrolment-store.ts";

const REFUSALS = {
  not_found: "You have no device with this id.",
  device_too_new: "A device takes no older one away in its first day, and none at all until it may pay.",
  device_in_first_day:
    "It can be taken away tomorrow. If it is not yours, freeze your account, and ask your provider to enrol you anew " +
    "with all earlier devices retired: a freeze that is lifted without that leaves it in.",
  last_device: "It is your last device that may pay: enrol another first.",
} as const satisfies Partial<Record<ErrorCode, string>>;

interface Removal {
  /** The device that is taken away. */
  readonly id: string;
  /** The device that asks for it, by its session or its proof; undefined for the demo's button. */
  readonly by: string | undefined;
  /** True if the device of the session or of the proof may not pay yet. */
  readonly isNew: boolean;
}

/** Returns why one device may not remove another; undefined where it may. */
function whyNotOther(device: Passkey, asking: Passkey | undefined, { isNew }: Removal, now: Date) {
  if (isNew || mayNotRemoveOlder(device, asking, now)) return "device_too_new";
  return isInFirstDay(device, now) && !device.isRefusable ? "device_in_first_day" : undefined;
}

/** Returns why a device may not be removed; undefined where it may. */
function whyNot(devices: readonly Passkey[], removal: Removal, now: Date): keyof typeof REFUSALS | undefined {
  const [device, asking] = [removal.id, removal.by].map((id) => devices.find((one) => one.id === id));
  if (device === undefined) return "not_found";
  const refusal = device === asking ? undefined : whyNotOther(device, asking, removal, now);
  if (refusal !== undefined) return refusal;
  const mayPay = devices.filter(({ mayPayFrom }) => mayPayFrom <= now);
  return mayPay.length === 1 && mayPay[0] === device ? "last_device" : undefined;
}

async function remove(
  tx: Tx,
  { personId, sessionHash }: PersonPrincipal,
  removal: Removal,
  changeId: string,
  now: Date,
) {
  const refusal = whyNot(await livePasskeys(tx, personId), removal, now);
  if (refusal !== undefined) return refusal;
  await removePasskey(tx, removal.id, now);
  await endSessionsOfPasskey(tx, removal.id, now);
  // It may have invited another.
  await withdrawOwnEnrolments(tx, personId, now);
  await keepAccountChange(tx, { id: changeId, personId, kind: "device_removed", sessionHash, now });
  return undefined;
}

/**
 * Removes one of the person's devices, on a proof. The sessions of the removed device end at once, that of the call too
 * where it is one of them.
 */
export function removeDevice(broker: BrokerContext): GatedHandler<"person", "removeDevice"> {
  const { sql, audit, clock, hints, newId, push } = broker;
  return async (call) => {
    const { principal, params, body, requestId } = call;
    const { id } = params;
    const passkey = await requireProof(broker, call, "remove_device", body.proof);
    const refusal = await sql.begin("isolation level read committed", async (tx) => {
      // Concurrent removals take turns, or each would still find the other's device.
      await holdPerson(broker, tx, principal);
      const now = clock();
      const isNew = principal.mayPayFrom !== undefined || (passkey !== undefined && passkey.mayPayFrom > now);
      const removal = { id, by: passkey?.id ?? principal.passkeyId, isNew };
      const refused = await remove(tx, principal, removal, newId(), now);
      const about = { requestId, principal, action: "remove device", subject: id };
      await audit(tx, { ...about, outcome: refused ?? "removed" });
      return refused;
    });
    if (refusal !== undefined) throw new ApiError(refusal, { detail: REFUSALS[refusal] });
    push.notifyOfChanges(principal.personId);
    // Pages that wait in the ended sessions ask again, and learn that they are over.
    hints.publish(`user:${principal.userId}`);
    const isOwn = id === principal.passkeyId;
    return { body: { removed: true }, ...(isOwn ? { headers: { "Set-Cookie": endedSessionCookie(broker) } } : {}) };
  };
}
