import type { Tx } from "../../../database/connect.ts";

/** A user of the service, as the service answers it. */
export interface KnownUser {
  readonly id: string;
  readonly name: string;
}

/** A person, and whether there ever was a device: a person who lost all of them is enrolled anew. */
interface EnrolledPerson {
  readonly id: string;
  readonly isEnrolled: boolean;
  readonly isDisabled: boolean;
}

async function enrolledPerson(tx: Tx, personId: string): Promise<EnrolledPerson> {
  const [row] = await tx<{ enrolled: boolean; disabled: boolean }[]>`
    select disabled_at is not null as disabled,
      exists (select from broker.passkeys k where k.person_id = p.id) as enrolled
    from broker.people p where p.id = ${personId}`;
  if (row === undefined) throw new Error(`there is no person ${personId}`);
  return { id: personId, isEnrolled: row.enrolled, isDisabled: row.disabled };
}

/** The person who is that user, made where there is none yet; a name that changed at the service changes here. */
export async function personOfUser(
  tx: Tx,
  user: KnownUser,
  { newId, now }: { readonly newId: () => string; readonly now: Date },
): Promise<EnrolledPerson> {
  const [row] = await tx<{ id: string }[]>`
    insert into broker.people (id, user_id, role, display_name, created_at)
    values (${newId()}, ${user.id}, 'person', ${user.name}, ${now})
    on conflict (user_id) do update set display_name =
      case when broker.people.demo_name is null then excluded.display_name else broker.people.display_name end
    returning id`;
  if (row === undefined) throw new Error(`user ${user.id} got no person`);
  return enrolledPerson(tx, row.id);
}
