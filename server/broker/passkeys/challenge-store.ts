import type { ProofPurpose } from "../../../src/contract/passkeys.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import type { BrokerContext } from "../broker-context.ts";

const CHALLENGE_BYTES = 32;

/** What a challenge is for; it is good for that alone. */
type ChallengePurpose = "sign_in" | "enrol" | ProofPurpose;

/** A challenge that is given out, and whose it is where that is known already. */
export interface NewChallenge {
  readonly purpose: ChallengePurpose;
  readonly personId?: string;
  readonly enrolmentId?: string;
  readonly lifeMs: number;
}

/** A challenge as it is kept. */
export interface Challenge {
  readonly id: string;
  readonly challenge: Uint8Array;
}

/** Gives a random challenge out, and keeps it until it is used or over. */
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

/** Which challenge is used up: the one that was answered, or the one with an id; for what, and whose. */
export type UsedChallenge = Omit<NewChallenge, "lifeMs"> &
  ({ readonly id: string } | { readonly challenge: Uint8Array });

/** Uses a challenge up: of all who try, one gets it, in time, for what it was for, and for whom. */
export async function consumeChallenge(sql: Sql | Tx, used: UsedChallenge, at: Date): Promise<Challenge | undefined> {
  const which = "id" in used ? sql`id = ${used.id}` : sql`challenge = ${used.challenge}`;
  const [row] = await sql<{ id: string; challenge: Uint8Array }[]>`
    update broker.challenges set used_at = ${at}
    where ${which} and purpose = ${used.purpose} and person_id is not distinct from ${used.personId ?? null}
      and enrolment_id is not distinct from ${used.enrolmentId ?? null} and used_at is null and expires_at > ${at}
    returning id, challenge`;
  return row;
}
