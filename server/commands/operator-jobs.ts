import { createAudit } from "../broker/access/audit.ts";
import type { RecordCreation } from "../broker/access/broker-context.ts";
import { enrolmentLink } from "../broker/people/devices/enrolment-secret.ts";
import { ENROLMENT_LIFE_MS, type MadeEnrolment } from "../broker/people/devices/enrolment-store.ts";
import { inviteUser } from "../broker/people/devices/invite-user.ts";
import {
  createOperator,
  disableOperator,
  linkOperator,
  listOperators,
  type Operator,
} from "../broker/people/devices/manage-operators.ts";
import type { Tx } from "../database/connect.ts";
import { findServiceUser, type WantedUser } from "./find-service-user.ts";
import { delayText, linkText, operatorsText } from "./operator-texts.ts";
import { type CommandContext, CommandError, type CommandOutput, type Job, plainText } from "./terminal-command.ts";

interface Done<R> {
  readonly result: R;
  readonly subject: string;
  readonly outcome: string;
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** Carries out a change of a command in one transaction with its audit record, and returns its result. */
export async function carryOut<R>(
  services: CommandContext,
  action: string,
  run: (tx: Tx, making: RecordCreation) => Promise<Done<R>>,
): Promise<R> {
  const { sql, random, clock, newId } = services;
  const { result } = await sql.begin("isolation level read committed", async (tx) => {
    const { result, subject, outcome, facts = {} } = await run(tx, { newId, random, now: clock() });
    const principal = { kind: "command line" } as const;
    await createAudit(clock)(tx, { requestId: newId(), principal, action, subject, outcome, facts });
    return { result };
  });
  return result;
}

function toldLink({ publicOrigin }: CommandContext, { secret, code }: MadeEnrolment) {
  return { link: enrolmentLink(publicOrigin, secret), code, expires_in: ENROLMENT_LIFE_MS / 1000 };
}

async function knownOperator(tx: Tx, id: string): Promise<Operator> {
  const known = (await listOperators(tx)).find((operator) => operator.id === id);
  if (known !== undefined) return known;
  throw new CommandError("No operator has this id. npm run operator -- list shows those there are.");
}

/** Creates an operator, and shows the enrolment link for the first device. */
export function createOperatorJob(wanted: Pick<Operator, "name" | "role">): Job {
  return async (services): Promise<CommandOutput> => {
    const made = await carryOut(services, "create operator", async (tx, making) => {
      const result = await createOperator(tx, wanted, making);
      const facts = { role: wanted.role, enrolment_id: result.id };
      return { result, subject: result.operatorId, outcome: "done", facts };
    });
    const told = toldLink(services, made);
    const head = `Operator: ${plainText(wanted.name)} (${made.operatorId}), ${wanted.role}`;
    return { text: `${head}\n\n${linkText(told)}`, data: { id: made.operatorId, ...wanted, ...told } };
  };
}

/** Makes an enrolment link for another device of an operator, and shows it with its code; an earlier link ends. */
export function linkOperatorJob(id: string): Job {
  return async (services): Promise<CommandOutput> => {
    const { made, operator } = await carryOut(services, "make enrolment", async (tx, making) => {
      const operator = await knownOperator(tx, id);
      if (operator.disabledAt !== null) throw new CommandError("This operator was disabled: create another.");
      const made = await linkOperator(tx, id, making);
      const facts = { person_id: id, withdrew: made.withdrew };
      return { result: { made, operator }, subject: made.id, outcome: "made", facts };
    });
    const told = toldLink(services, made);
    const head = `Operator: ${plainText(operator.name)} (${id}), ${operator.role}`;
    return { text: `${head}\n\n${linkText(told)}`, data: { id, name: operator.name, role: operator.role, ...told } };
  };
}

/** Disables an operator for good. */
export function disableOperatorJob(id: string): Job {
  return async (services): Promise<CommandOutput> => {
    const operator = await carryOut(services, "disable operator", async (tx, { now }) => {
      await knownOperator(tx, id);
      await disableOperator(tx, id, now);
      return { result: await knownOperator(tx, id), subject: id, outcome: "done" };
    });
    const text = `Disabled: ${plainText(operator.name)} is signed out everywhere and signs in no more.`;
    return { text, data: { id, name: operator.name, disabled_at: operator.disabledAt } };
  };
}

/** Shows all operators. */
export async function listOperatorsJob({ sql }: CommandContext): Promise<CommandOutput> {
  const operators = await listOperators(sql);
  const data = operators.map(({ id, name, role, createdAt, disabledAt, devices }) => ({
    ...{ id, name, role, created_at: createdAt, disabled_at: disabledAt, devices },
  }));
  return { text: operatorsText(operators), data };
}

/**
 * Makes an enrolment link for a user of the service, and shows it with its code; with `retiresDevices` all earlier
 * devices are removed when the new one is enrolled.
 */
export function inviteJob(wanted: WantedUser, { retiresDevices }: { readonly retiresDevices: boolean }): Job {
  return async (services): Promise<CommandOutput> => {
    const user = await findServiceUser(services, wanted);
    if ("unchecked" in user) {
      throw new CommandError(`The user cannot be looked up: ${user.unchecked}; ${user.remedy}.`);
    }
    const invitation = { user, quota: user.quota, retiresDevices, digits: services.currency.digits };
    const made = await carryOut(services, "make enrolment", async (tx, making) => {
      const result = await inviteUser(tx, invitation, making);
      if (result === undefined) throw new CommandError("This person was shut out of the app.");
      const { personId, delayed, needsSecond, withdrew } = result;
      const facts = { person_id: personId, delayed, needs_second: needsSecond, retires: retiresDevices, withdrew };
      return { result, subject: result.id, outcome: "made", facts };
    });
    const { delayed, needsSecond } = made;
    const told = toldLink(services, made);
    const text = [`User: ${plainText(user.name)} (${user.id})`, delayText(made), linkText(told)].join("\n\n");
    const about = { user_id: user.id, name: user.name, enrolment_id: made.id, delayed, waiting: needsSecond };
    return { text, data: { ...about, ...told } };
  };
}
