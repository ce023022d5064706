import { amountToNumber } from "../../../../src/money.ts";
import type { Tx } from "../../../database/connect.ts";
import type { RecordCreation } from "../../access/broker-context.ts";
import { readEntityRules } from "../../access/entity-rules.ts";
import { keepAccountChange } from "../account/account-change-store.ts";
import { type MadeEnrolment, makeEnrolment } from "./enrolment-store.ts";

/** A user of the service, as the service answers it. */
interface KnownUser {
  readonly id: string;
  readonly name: string;
}

/** A person, and whether there ever was a device: a person who lost all of them is enrolled anew. */
interface EnrolledPerson {
  readonly id: string;
  readonly isEnrolled: boolean;
  readonly isDisabled: boolean;
}

/** The person who is that user, made where there is none yet; a name that changed at the service changes here. */
async function personOfUser(
  tx: Tx,
  user: KnownUser,
  { newId, now }: { readonly newId: () => string; readonly now: Date },
): Promise<EnrolledPerson> {
  const [person] = await tx<EnrolledPerson[]>`
    insert into broker.people as p (id, user_id, role, display_name, created_at)
    values (${newId()}, ${user.id}, 'person', ${user.name}, ${now})
    on conflict (user_id) do update set display_name =
      case when p.demo_name is null then excluded.display_name else p.display_name end
    returning id, disabled_at is not null as "isDisabled",
      exists (select from broker.passkeys k where k.person_id = p.id) as "isEnrolled"`;
  if (person === undefined) throw new Error(`user ${user.id} got no person`);
  return person;
}

/** An invitation to make: the user, the user's quota, and the operator who invites; none at the command line. */
export interface UserInvitation {
  readonly user: KnownUser;
  /** In currency units; null where the service does not report it, which counts as above the level. */
  readonly quota: number | null;
  /** Decimals of the currency. */
  readonly digits: number;
  readonly madeBy?: string;
  /** True if all earlier devices are removed when the new one is enrolled. */
  readonly retiresDevices?: boolean;
}

/**
 * The enrolment that an invitation made, its person, and the rules that hold: `delayed`, the device waits before it
 * pays; `needsSecond`, a second operator has to agree.
 */
export interface Invited extends MadeEnrolment {
  readonly personId: string;
  readonly delayed: boolean;
  readonly needsSecond: boolean;
}

async function takesTwo(tx: Tx, { quota, digits }: UserInvitation): Promise<boolean> {
  const { two_operators_above: level } = await readEntityRules(tx);
  if (level === null) return false;
  return quota === null || quota > amountToNumber(level, digits);
}

/**
 * Invites a user of the service to the app by an enrolment (security: Sign-in and recovery). For somebody who ever had
 * a device it is a re-enrolment: the new device waits before it pays. The invitation is recorded as an account change,
 * of which the person's browsers are notified. A second operator has to agree where the user's quota is above the
 * entity's level, also for a first device, and always where the earlier devices are retired. Undefined where the person
 * was disabled.
 */
export async function inviteUser(
  tx: Tx,
  invitation: UserInvitation,
  making: RecordCreation,
): Promise<Invited | undefined> {
  const { user, madeBy, retiresDevices = false } = invitation;
  const { id: personId, isEnrolled, isDisabled } = await personOfUser(tx, user, making);
  if (isDisabled) return undefined;
  const [delayed, needsSecond] = [isEnrolled, retiresDevices || (await takesTwo(tx, invitation))];
  const made = await makeEnrolment(
    tx,
    { personId, delayed, needsSecond, retiresDevices, ...(madeBy === undefined ? {} : { madeBy }) },
    making,
  );
  await keepAccountChange(tx, { id: making.newId(), personId, kind: "device_invited", now: making.now });
  return { ...made, personId, delayed, needsSecond };
}
