import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Tx } from "../../../database/connect.ts";

/** The number of wrong codes that ends an enrolment link. */
export const CODE_TRIES = 5;
/** The period over which links and wrong codes are counted. */
const WINDOW_MS = 24 * 60 * 60_000;
/** For one user, by whichever operators: each link may be a message to that user. */
const MOST_LINKS_OF_PERSON = 10;
/** For one user, over all links of operators: one guess in 100 000 a day. */
const MOST_WRONG_OF_PERSON = 10;
/** Of one operator, over all users; tries that open links could still use are counted in. */
const MOST_WRONG_OF_OPERATOR = 100;

interface CountedRow {
  readonly links: number;
  readonly wrong: number;
  readonly risked: number;
  readonly since_person: Date | null;
  readonly since_operator: Date | null;
}

/**
 * Throws `too_many_requests` for another link that an operator makes for a person: where operators made ten for the
 * person within 24 hours, or where its five tries could bring the wrong codes of that time above ten for the person, or
 * above a hundred over all links of the operator, the tries that are left on open ones included. Making more links must
 * not let anybody guess more codes. To be called once the earlier links of the person are withdrawn, while nobody else
 * can make links for that person or as that operator until the transaction ends.
 */
export async function refuseTooManyLinks(
  tx: Tx,
  { personId, operatorId }: { readonly personId: string; readonly operatorId: string },
  at: Date,
): Promise<void> {
  const [row] = await tx<CountedRow[]>`
    select count(*) filter (where person_id = ${personId})::int as links,
      coalesce(sum(${CODE_TRIES} - tries_left) filter (where person_id = ${personId}), 0)::int as wrong,
      coalesce(sum(case when used_at is null and withdrawn_at is null and expires_at > ${at} then ${CODE_TRIES}
        else ${CODE_TRIES} - tries_left end) filter (where made_by = ${operatorId}), 0)::int as risked,
      min(created_at) filter (where person_id = ${personId}) as since_person,
      min(created_at) filter (where made_by = ${operatorId}) as since_operator
    from broker.enrolments
    where created_at > ${new Date(at.getTime() - WINDOW_MS)} and made_by <> person_id
      and (person_id = ${personId} or made_by = ${operatorId})`;
  if (row === undefined) return;
  const refusal = (since: Date | null, detail: string) => {
    const freeAt = (since ?? at).getTime() + WINDOW_MS;
    return new ApiError("too_many_requests", { detail, retryAfter: Math.ceil((freeAt - at.getTime()) / 1000) });
  };
  const isPersonFull = row.links >= MOST_LINKS_OF_PERSON || row.wrong + CODE_TRIES > MOST_WRONG_OF_PERSON;
  if (isPersonFull) {
    const detail = "This user had too many links or wrong codes today: npm run operator -- invite makes one.";
    throw refusal(row.since_person, detail);
  }
  if (row.risked + CODE_TRIES > MOST_WRONG_OF_OPERATOR) {
    throw refusal(row.since_operator, "Too many links of yours are open or ended in wrong codes today.");
  }
}
