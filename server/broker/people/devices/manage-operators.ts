import type { Sql, Tx } from "../../../database/connect.ts";
import type { RecordCreation } from "../../access/broker-context.ts";
import type { OperatorRole } from "../../access/principal.ts";
import { endSessionsOf } from "../../access/sign-in-sessions.ts";
import { endChangesOf } from "../../merchants/change-store.ts";
import { type MadeEnrolment, makeEnrolment, withdrawEnrolmentsBy, withdrawEnrolmentsOf } from "./enrolment-store.ts";

/** A person who signs in for the entity, with the number of devices. */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly devices: number;
}

/** Lists all operators, disabled ones too, newest first. */
export function listOperators(sql: Sql | Tx): Promise<readonly Operator[]> {
  return sql<Operator[]>`
    select p.id, p.display_name as name, p.operator_role as role, p.created_at as "createdAt",
      p.disabled_at as "disabledAt",
      (select count(*)::int from broker.passkeys k where k.person_id = p.id and k.removed_at is null) as devices
    from broker.people p where p.role = 'operator' order by p.created_at desc, p.id desc`;
}

/** Makes an operator, with an enrolment link for the first device. */
export async function createOperator(
  tx: Tx,
  { name, role }: Pick<Operator, "name" | "role">,
  making: RecordCreation,
): Promise<MadeEnrolment & { readonly operatorId: string }> {
  const operatorId = making.newId();
  await tx`
    insert into broker.people (id, role, operator_role, display_name, created_at)
    values (${operatorId}, 'operator', ${role}, ${name}, ${making.now})`;
  return { ...(await linkOperator(tx, operatorId, making)), operatorId };
}

/**
 * Makes an enrolment link for another device of an operator, and ends the earlier ones. Operators do not pay, so no
 * device of theirs waits.
 */
export function linkOperator(tx: Tx, operatorId: string, making: RecordCreation): Promise<MadeEnrolment> {
  return makeEnrolment(tx, { personId: operatorId, delayed: false, needsSecond: false }, making);
}

/**
 * Disables an operator for good: no passkey of theirs signs in any more, and at once their sessions end, the links for
 * them and by them, and the open merchant changes that they asked for or agreed to.
 */
export async function disableOperator(tx: Tx, operatorId: string, at: Date): Promise<void> {
  await tx`update broker.people set disabled_at = coalesce(disabled_at, ${at}) where id = ${operatorId}`;
  await endSessionsOf(tx, operatorId, at);
  await withdrawEnrolmentsOf(tx, operatorId, at);
  await withdrawEnrolmentsBy(tx, operatorId, at);
  await endChangesOf(tx, operatorId, at);
}
