import { ApiError, type ErrorCode } from "../../../src/contract/errors.ts";
import type { Tx } from "../../database/connect.ts";
import type { BrokerContext } from "../broker-context.ts";
import { withdrawOf } from "../enrolments/enrolment-store.ts";
import type { GatedHandler } from "../gate.ts";
import { livePasskeys, type Passkey, removePasskey } from "../passkeys/passkey-store.ts";
import { requireProof } from "../passkeys/require-proof.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { endedSessionCookie } from "../principals/session-cookie.ts";
import { endSessionsOfPasskey } from "../principals/sign-in-sessions.ts";

const REFUSALS = {
  not_found: "You have no device with this id.",
  device_too_new: "A device that may not pay yet takes away none but itself.",
  last_device: "It is your last device that may pay: enrol another first.",
} as const satisfies Partial<Record<ErrorCode, string>>;

interface Removal {
  /** The device that is taken away. */
  readonly id: string;
  /** The device that asks for it, by its session or its proof; undefined for the demo's button. */
  readonly by: string | undefined;
  /** Whether that one may not pay yet. */
  readonly isNew: boolean;
}

/** Why a device stays; undefined where it may go. */
function whyNot(devices: readonly Passkey[], { id, by, isNew }: Removal, now: Date): keyof typeof REFUSALS | undefined {
  const device = devices.find((one) => one.id === id);
  if (device === undefined) return "not_found";
  if (isNew && id !== by) return "device_too_new";
  const mayPay = devices.filter(({ mayPayFrom }) => mayPayFrom <= now);
  return mayPay.length === 1 && mayPay[0] === device ? "last_device" : undefined;
}

async function remove(tx: Tx, { personId }: PersonPrincipal, removal: Removal, now: Date) {
  // Two that are removed at once take turns, or both would find the other left.
  await tx`select from broker.people where id = ${personId} for no key update`;
  const refusal = whyNot(await livePasskeys(tx, personId), removal, now);
  if (refusal !== undefined) return refusal;
  await removePasskey(tx, removal.id, now);
  await endSessionsOfPasskey(tx, removal.id, now);
  // It may have invited another.
  await withdrawOf(tx, personId, now);
  return undefined;
}

/** Takes one of the person's devices away; its sessions end at once, this one's too where it is its own. */
export function removeDevice(broker: BrokerContext): GatedHandler<"person", "removeDevice"> {
  const { sql, audit, clock, hints } = broker;
  return async (call) => {
    const { principal, params, body, requestId } = call;
    const { id } = params;
    const passkey = await requireProof(broker, call, "remove_device", body.proof);
    const refusal = await sql.begin("isolation level read committed", async (tx) => {
      const now = clock();
      const isNew = principal.mayPayFrom !== undefined || (passkey !== undefined && passkey.mayPayFrom > now);
      const refused = await remove(tx, principal, { id, by: passkey?.id ?? principal.passkeyId, isNew }, now);
      const about = { requestId, principal, action: "remove device", subject: id };
      await audit(tx, { ...about, outcome: refused ?? "removed" });
      return refused;
    });
    if (refusal !== undefined) throw new ApiError(refusal, { detail: REFUSALS[refusal] });
    // Whoever waits in the ended sessions asks again, and hears that they are over.
    hints.publish(`user:${principal.userId}`);
    const isOwn = id === principal.passkeyId;
    return { body: { removed: true }, ...(isOwn ? { headers: { "Set-Cookie": endedSessionCookie() } } : {}) };
  };
}
