import type { Sql, SqlPart, Tx } from "../../../database/connect.ts";
import type { RecordCreation } from "../../access/broker-context.ts";
import { hashToken } from "../../access/opaque-token.ts";
import { CODE_TRIES, refuseTooManyLinks } from "./enrolment-bounds.ts";
import { createEnrolmentKeys, type EnrolmentKeys, hashEnrolmentKeys } from "./enrolment-secret.ts";

/** The life of an enrolment link, in milliseconds: ten minutes. */
export const ENROLMENT_LIFE_MS = 10 * 60_000;

/**
 * A stored enrolment, with its person's name, role and user id, and the way that its code takes: to the entity's
 * endpoint, to a second operator, or along with the link.
 */
export interface EnrolmentRow {
  readonly id: string;
  readonly tries_left: number;
  readonly person_id: string;
  readonly delayed: boolean;
  readonly made_by: string | null;
  readonly needs_second: boolean;
  readonly retires_devices: boolean;
  readonly agreed_by: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly withdrawn_at: Date | null;
  readonly name: string;
  readonly role: "person" | "operator";
  readonly user_id: string | null;
  /** The endpoint that the code goes to; null where it goes another way. */
  readonly code_endpoint_id: string | null;
  /** True if the code goes to a second operator or that endpoint; false if it was told with the link. */
  readonly code_apart: boolean;
  readonly code_told_at: Date | null;
}

/** An enrolment to make: the person whom it is for, and the rules for the device that it enrols. */
export interface NewEnrolment {
  readonly personId: string;
  readonly delayed: boolean;
  readonly needsSecond: boolean;
  /** True if all earlier devices are removed when the new one is enrolled; a second operator has to agree to that. */
  readonly retiresDevices?: boolean;
  /** The operator or person who makes it; undefined at the command line. */
  readonly madeBy?: string;
}

/**
 * An enrolment that was just made, with its link's secret and its code in clear; its own record has only their hashes.
 */
export interface MadeEnrolment extends EnrolmentKeys {
  readonly id: string;
  /** How many earlier links of the person ended. */
  readonly withdrew: number;
}

/** The columns that handlers see, of enrolments `e` of people `p` with codes `c`. */
function columns(sql: Sql | Tx): SqlPart {
  return sql`e.id, e.tries_left, e.person_id, e.delayed, e.made_by, e.needs_second, e.retires_devices, e.agreed_by,
    e.created_at, e.expires_at, e.used_at, e.withdrawn_at, p.display_name as name, p.role, p.user_id,
    c.endpoint_id as code_endpoint_id, c.enrolment_id is not null as code_apart, c.told_at as code_told_at`;
}

/** Enrolments `e` of people `p`, with the codes `c` that go another way than their links. */
function enrolments(sql: Sql | Tx): SqlPart {
  return sql`broker.enrolments e join broker.people p on p.id = e.person_id
    left join broker.enrolment_codes c on c.enrolment_id = e.id`;
}

/** SQL condition: an enrolment `e` of a person `p` can still be used, once any second operator has agreed. */
function isLive(sql: Sql | Tx, at: Date): SqlPart {
  return sql`(e.used_at is null and e.withdrawn_at is null and e.tries_left > 0 and e.expires_at > ${at}
    and p.disabled_at is null)`;
}

async function withdrawWhere(tx: Tx, which: SqlPart, at: Date): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    update broker.enrolments set withdrawn_at = ${at}
    where ${which} and used_at is null and withdrawn_at is null and expires_at > ${at}
    returning id`;
  return rows.map(({ id }) => id);
}

/** Ends the unused links for a person, whoever made them; returns their ids. */
export async function withdrawEnrolmentsOf(tx: Tx, personId: string, at: Date): Promise<readonly string[]> {
  return withdrawWhere(tx, tx`person_id = ${personId}`, at);
}

/**
 * Ends the unused links that a person made for another device of their own, and returns their ids; those that operators
 * made for the person stay.
 */
export async function withdrawOwnEnrolments(tx: Tx, personId: string, at: Date): Promise<readonly string[]> {
  return withdrawWhere(tx, tx`person_id = ${personId} and made_by = ${personId}`, at);
}

/** Ends the unused links that an operator made: a disabled operator may still know their codes. */
export async function withdrawEnrolmentsBy(tx: Tx, operatorId: string, at: Date): Promise<void> {
  await withdrawWhere(tx, tx`made_by = ${operatorId}`, at);
}

/**
 * Makes a link for a person, and ends the person's earlier links; concurrent calls take turns. A link that the person
 * makes ends only links that the person made, or whoever holds a device could keep operators from enrolling the owner
 * anew. Operators' links are limited for a day, by person and by operator: throws `too_many_requests`.
 */
export async function makeEnrolment(tx: Tx, wanted: NewEnrolment, making: RecordCreation): Promise<MadeEnrolment> {
  const { personId, delayed, needsSecond, retiresDevices = false, madeBy = null } = wanted;
  await tx`select from broker.people where id = ${personId} for no key update`;
  const isOwn = madeBy === personId;
  const withdrawn = await (isOwn ? withdrawOwnEnrolments : withdrawEnrolmentsOf)(tx, personId, making.now);
  if (madeBy !== null && !isOwn) {
    await refuseTooManyLinks(tx, { personId, operatorId: madeBy }, making.now);
  }
  const keys = createEnrolmentKeys(making.random);
  const { secretHash, codeHash } = hashEnrolmentKeys(keys);
  const [id, expiresAt] = [making.newId(), new Date(making.now.getTime() + ENROLMENT_LIFE_MS)];
  await tx`
    insert into broker.enrolments
      (id, secret_hash, code_hash, tries_left, person_id, delayed, made_by, needs_second, retires_devices, created_at,
        expires_at)
    values (${id}, ${secretHash}, ${codeHash}, ${CODE_TRIES}, ${personId}, ${delayed}, ${madeBy}, ${needsSecond},
      ${retiresDevices},
      ${making.now}, ${expiresAt})`;
  return { ...keys, id, withdrew: withdrawn.length };
}

/** Finds the live enrolment of a link by its secret. */
export async function findEnrolmentBySecret(sql: Sql, secret: string, at: Date): Promise<EnrolmentRow | undefined> {
  const [row] = await sql<EnrolmentRow[]>`
    select ${columns(sql)} from ${enrolments(sql)}
    where e.secret_hash = ${hashToken(secret)} and ${isLive(sql, at)}`;
  return row;
}

/**
 * Compares a code with that of a link, and counts a wrong one in the same statement, so that at most five are wrong
 * however many are tried at once. Returns if it is right, and the number of tries left; undefined where the link is
 * unknown, used, withdrawn or expired, or had five wrong codes before.
 */
export async function tryCode(
  sql: Sql,
  keys: EnrolmentKeys,
  at: Date,
): Promise<{ readonly isRight: boolean; readonly triesLeft: number } | undefined> {
  const { secretHash, codeHash } = hashEnrolmentKeys(keys);
  const [row] = await sql<{ is_right: boolean; tries_left: number }[]>`
    update broker.enrolments e
    set tries_left = e.tries_left - case when e.code_hash = ${codeHash} then 0 else 1 end
    from broker.people p
    where p.id = e.person_id and e.secret_hash = ${secretHash} and ${isLive(sql, at)}
    returning e.code_hash = ${codeHash} as is_right, e.tries_left`;
  return row && { isRight: row.is_right, triesLeft: row.tries_left };
}

/** Uses an enrolment up: true for one of all callers, and for none where it is over or waits for a second operator. */
export async function consumeEnrolment(tx: Tx, id: string, at: Date): Promise<boolean> {
  const used = await tx`
    update broker.enrolments e set used_at = ${at} from broker.people p
    where p.id = e.person_id and e.id = ${id} and ${isLive(tx, at)} and (not e.needs_second or e.agreed_by is not null)
    returning e.id`;
  return used.length > 0;
}

/** Finds an enrolment by its id, among those that operators or the command line made for users of the service. */
export async function findOfOperators(sql: Sql | Tx, id: string): Promise<EnrolmentRow | undefined> {
  const [row] = await readOfOperators(sql, sql`e.id = ${id}`);
  return row;
}

/**
 * Lists the enrolments of users of the service that operators or the command line made since an instant, newest first.
 */
export async function listOfOperators(sql: Sql, since: Date): Promise<readonly EnrolmentRow[]> {
  return readOfOperators(sql, sql`e.created_at > ${since}`);
}

function readOfOperators(sql: Sql | Tx, which: SqlPart): Promise<readonly EnrolmentRow[]> {
  return sql<EnrolmentRow[]>`
    select ${columns(sql)} from ${enrolments(sql)}
    where ${which} and p.user_id is not null and e.made_by is distinct from e.person_id
    order by e.created_at desc, e.id desc limit 500`;
}

/**
 * Records that a second operator agrees to an enrolment; false for the operator who made it, and where it is over,
 * agreed to already or takes no second operator.
 */
export async function agreeAsSecondOperator(tx: Tx, id: string, operatorId: string, at: Date): Promise<boolean> {
  const agreed = await tx`
    update broker.enrolments e set agreed_by = ${operatorId} from broker.people p
    where p.id = e.person_id and e.id = ${id} and e.needs_second and e.agreed_by is null
      and e.made_by is distinct from ${operatorId} and ${isLive(tx, at)}
    returning e.id`;
  return agreed.length > 0;
}

/**
 * Ends one link before it is used, and returns true if it lived until then; one that is over already stays as it is.
 */
export async function withdrawOne(tx: Tx, id: string, at: Date): Promise<boolean> {
  return (await withdrawWhere(tx, tx`id = ${id}`, at)).length > 0;
}
