import type { ProofPurpose } from "../../../../src/contract/broker/passkeys.ts";
import type { Sql, Tx } from "../../../database/connect.ts";
import type { BrokerContext } from "../../access/broker-context.ts";

const CHALLENGE_BYTES = 32;

/** The purpose of a challenge, which is good for that alone. */
type ChallengePurpose = "sign_in" | "enrol" | ProofPurpose;

/** A WebAuthn challenge to issue, with its person or enrolment where known. */
export interface NewChallenge {
  readonly purpose: ChallengePurpose;
  readonly personId?: string;
  readonly enrolmentId?: string;
  readonly lifeMs: number;
}

/** A stored WebAuthn challenge: its id, and the random bytes that a passkey signs. */
export interface Challenge {
  readonly id: string;
  readonly challenge: Uint8Array;
}

/** Issues a random challenge, and stores it until it is used or expires. */
export async function createChallenge(
  { sql, newId, random, clock }: Pick<BrokerContext, "sql" | "newId" | "random" | "clock">,
  { purpose, personId, enrolmentId, lifeMs }: NewChallenge,
): Promise<Challenge> {
  const [id, challenge] = [newId(), random(CHALLENGE_BYTES)];
  await sql`
    insert into broker.challenges (id, challenge, purpose, person_id, enrolment_id, expires_at)
    values (${id}, ${challenge}, ${purpose}, ${personId ?? null}, ${enrolmentId ?? null},
      ${new Date(clock().getTime() + lifeMs)})`;
  return { id, challenge };
}

/** The challenge to use up, by its id or its bytes, with the purpose and the person or enrolment that it must have. */
export type UsedChallenge = Omit<NewChallenge, "lifeMs"> &
  ({ readonly id: string } | { readonly challenge: Uint8Array });

/**
 * Uses a challenge up, and returns it to one of all callers; undefined where it was used before, has expired, or was
 * issued for another purpose, person or enrolment.
 */
export async function consumeChallenge(sql: Sql | Tx, used: UsedChallenge, at: Date): Promise<Challenge | undefined> {
  const which = "id" in used ? sql`id = ${used.id}` : sql`challenge = ${used.challenge}`;
  const [row] = await sql<{ id: string; challenge: Uint8Array }[]>`
    update broker.challenges set used_at = ${at}
    where ${which} and purpose = ${used.purpose} and person_id is not distinct from ${used.personId ?? null}
      and enrolment_id is not distinct from ${used.enrolmentId ?? null} and used_at is null and expires_at > ${at}
    returning id, challenge`;
  return row;
}
