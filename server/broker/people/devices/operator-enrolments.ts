import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { OperatorEnrolment } from "../../../../src/contract/broker/operator-enrolments.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import type { Tx } from "../../../database/connect.ts";
import { createSealer } from "../../../database/sealer.ts";
import type { WriteRefusal } from "../../../shared/answer-once.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { requireClerk } from "../../access/require-role.ts";
import { hasSecondOperator } from "../../access/second-operator.ts";
import { keepRefusals, writeAsOperator } from "../../access/write-as-operator.ts";
import {
  earlierReply,
  type OperatorCall,
  type OperatorWritten,
  writeIdempotently,
} from "../../access/write-idempotently.ts";
import { findUser } from "../look-ups/find-user.ts";
import { findCodeEndpoint, keepCode, takeCode } from "./enrolment-code-store.ts";
import { enrolmentLink } from "./enrolment-secret.ts";
import {
  agreeAsSecondOperator,
  type EnrolmentRow,
  findOfOperators,
  listOfOperators,
  withdrawOne,
} from "./enrolment-store.ts";
import { inviteUser, type UserInvitation } from "./invite-user.ts";
import { isWaiting } from "./open-enrolment.ts";

type CreateCall = Parameters<GatedHandler<"operator", "createEnrolment">>[0];

const LISTED_MS = 24 * 60 * 60_000;

function stateOf(row: EnrolmentRow, now: Date): OperatorEnrolment["state"] {
  if (row.used_at !== null) return "used";
  const isOver = row.withdrawn_at !== null || row.tries_left === 0 || row.expires_at <= now;
  if (isOver) return "over";
  return isWaiting(row) ? "waiting" : "ready";
}

function codeBy({ code_apart, code_endpoint_id }: EnrolmentRow): OperatorEnrolment["code_by"] {
  if (!code_apart) return "command_line";
  return code_endpoint_id === null ? "operator" : "backend";
}

function answerOf(row: EnrolmentRow, now: Date): OperatorEnrolment {
  const { id, user_id: userId, name, delayed, code_told_at: toldAt } = row;
  if (userId === null) throw new Error(`enrolment ${id} is for no user`);
  return {
    ...{ id, user_id: userId, name, state: stateOf(row, now), delayed, code_by: codeBy(row) },
    retires_devices: row.retires_devices,
    code_told_at: toldAt === null ? null : toInstant(toldAt),
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
  };
}

async function known(tx: Tx, id: string): Promise<EnrolmentRow> {
  const row = await findOfOperators(tx, id);
  if (row === undefined) throw new ApiError("not_found", { detail: "No enrolment that an operator made has this id." });
  return row;
}

type Created = AnswerOf<BrokerContract["createEnrolment"]>;

/** The same for a user of another entity and for none at all. */
const NOBODY_OF_YOURS = "No user of your entity has this id, phone or nit: compare it, digit by digit.";

async function userOf(call: CreateCall, service: Granted<"operator", "createEnrolment">) {
  const { user_id: id, retire_devices: _, ...key } = call.body;
  const user = await findUser(service, id === undefined ? key : { id });
  if (user !== undefined) return user;
  throw new ApiError("user_not_found", { detail: NOBODY_OF_YOURS });
}

const NOBODY_TO_TELL: WriteRefusal = {
  code: "not_allowed",
  detail:
    "Link and code are never told to one operator: have codes sent to your backend (npm run operator -- codes " +
    "--url https://…), make a second operator (npm run operator -- create), or invite at the machine (npm run " +
    "operator -- invite).",
};

/**
 * Makes the link; only hashes of it are stored, so an operator who loses the answer makes another. The code goes
 * another way.
 */
function making(broker: BrokerContext, call: CreateCall, invited: Pick<UserInvitation, "user" | "quota">) {
  const { newId, random, currency, publicOrigin, key } = broker;
  const { personId: operatorId } = call.principal;
  const retiresDevices = call.body.retire_devices === true;
  const invitation = { ...invited, retiresDevices, digits: currency.digits, madeBy: operatorId };
  return async (tx: Tx, now: Date): Promise<OperatorWritten<Created> | WriteRefusal> => {
    const endpoint = await findCodeEndpoint(tx);
    if (endpoint === undefined && !(await hasSecondOperator(tx, operatorId, ["clerk", "admin"]))) return NOBODY_TO_TELL;
    const made = await inviteUser(tx, invitation, { newId, random, now });
    if (made === undefined) return { code: "not_allowed", detail: "This person was shut out of the app." };
    const { id: subject, personId, delayed, needsSecond, withdrew, secret, code } = made;
    const sealer = createSealer(key, random);
    await keepCode(tx, { enrolmentId: subject, code, endpointId: endpoint?.id }, sealer, now);
    const kept = answerOf(await known(tx, subject), now);
    const answer = { ...kept, link: enrolmentLink(publicOrigin, secret) };
    const asked = { needs_second: needsSecond, retires: retiresDevices, code_by: kept.code_by };
    const facts = { person_id: personId, delayed, withdrew, ...asked };
    return { answer, kept, subject, outcome: "made", facts };
  };
}

/**
 * Invites a user of the entity, once for each idempotency key: the link is in the first answer alone, and the code in
 * none; it goes to the entity's endpoint or to a second operator.
 */
export function createEnrolment(broker: BrokerContext): GatedHandler<"operator", "createEnrolment"> {
  const about = { operation: "createEnrolment", action: "make enrolment", subject: undefined };
  return async (call, service) => {
    await requireClerk(broker, call, about);
    // Before the service is asked: an earlier answer can be replayed while the service is away.
    const earlier = await earlierReply<Created>(broker.sql, call, about.operation);
    if (earlier !== undefined) return earlier;
    const { user_id, nit } = call.body;
    const by = user_id !== undefined ? "id" : nit !== undefined ? "nit" : "phone";
    return keepRefusals(broker, call, { ...about, facts: { by } }, async () => {
      takeFromPersonLimit(broker.guardLimit, call.principal, "enrol");
      const { id, name, business_name: business, quota } = await userOf(call, service);
      const write = making(broker, call, { user: { id, name: business ?? name }, quota });
      return writeIdempotently(broker, call, { ...about, facts: {}, write });
    });
  };
}

/** Lists the enrolments that operators or the command line made in the last day, without secret and code. */
export function operatorEnrolments({ sql, clock }: BrokerContext): GatedHandler<"operator", "operatorEnrolments"> {
  return async () => {
    const now = clock();
    const rows = await listOfOperators(sql, new Date(now.getTime() - LISTED_MS));
    return { body: rows.map((row) => answerOf(row, now)) };
  };
}

interface Change {
  readonly action: string;
  readonly outcome: string;
  /** Carries it out, and answers whether that changed anything; throws where it cannot be. */
  readonly run: (tx: Tx, row: EnrolmentRow, now: Date) => Promise<boolean>;
}

type ChangeCall = OperatorCall & { readonly params: { readonly id: string } };

/** Changes one enrolment together with its audit record; a refusal is in the audit too. */
async function change(
  broker: BrokerContext,
  { principal, requestId, params }: ChangeCall,
  { action, outcome, run }: Change,
): Promise<{ readonly body: OperatorEnrolment }> {
  const about = { requestId, principal, action, subject: params.id };
  await requireClerk(broker, { principal, requestId }, about);
  return keepRefusals(broker, about, about, () =>
    writeAsOperator(broker, principal, async (tx, now) => {
      const isChanged = await run(tx, await known(tx, params.id), now);
      await broker.audit(tx, { ...about, outcome: isChanged ? outcome : "unchanged" });
      return { body: answerOf(await known(tx, params.id), now) };
    }),
  );
}

/**
 * Records that the calling operator agrees, as the second one, to an enrolment that takes two; refused to the operator
 * who made it.
 */
export function agreeToEnrolment(broker: BrokerContext): GatedHandler<"operator", "agreeToEnrolment"> {
  return (call) => {
    const operatorId = call.principal.personId;
    const run: Change["run"] = async (tx, row, now) => {
      if (row.made_by === operatorId) {
        throw new ApiError("not_allowed", { detail: "You made it yourself: another operator has to agree." });
      }
      if (!row.needs_second) throw new ApiError("not_allowed", { detail: "This link needs no second operator." });
      if (stateOf(row, now) === "ready") return false;
      if (await agreeAsSecondOperator(tx, row.id, operatorId, now)) return true;
      throw new ApiError("enrolment_not_found", { detail: "The link is over: make a new one." });
    };
    return change(broker, call, { action: "agree to enrolment", outcome: "agreed", run });
  };
}

/** Throws where a code is not for this operator, or for nobody any more. */
function refuseCode(row: EnrolmentRow, operatorId: string, now: Date): void {
  const refuse = (detail: string) => new ApiError("not_allowed", { detail });
  if (row.made_by === operatorId) throw refuse("You made the link: another operator is shown its code.");
  if (codeBy(row) !== "operator") throw refuse("This code goes another way, and is shown to no operator.");
  const state = stateOf(row, now);
  if (state === "used" || state === "over") {
    throw new ApiError("enrolment_not_found", { detail: "The link is over: make a new one." });
  }
  if (row.code_told_at !== null) throw refuse("The code was shown once already: make a new link.");
}

/**
 * Shows an operator the code of an enrolment that another operator made, once: it is then deleted. Refused where the
 * code goes to the entity's endpoint or was given at the command line.
 */
export function showEnrolmentCode(broker: BrokerContext): GatedHandler<"operator", "showEnrolmentCode"> {
  return async (call) => {
    const { personId: operatorId } = call.principal;
    let code: string | undefined;
    const run: Change["run"] = async (tx, row, now) => {
      takeFromPersonLimit(broker.guardLimit, call.principal, "code");
      refuseCode(row, operatorId, now);
      const sealer = createSealer(broker.key, broker.random);
      code = await takeCode(tx, { enrolmentId: row.id, operatorId }, sealer, now);
      if (code === undefined) throw new ApiError("not_allowed", { detail: "The code was shown once already." });
      return true;
    };
    const { body } = await change(broker, call, { action: "show enrolment code", outcome: "shown", run });
    if (code === undefined) throw new Error("a code was shown that nobody took");
    return { body: { ...body, code } };
  };
}

/** Ends a link before it is used; one that is over already stays as it is. */
export function withdrawEnrolment(broker: BrokerContext): GatedHandler<"operator", "withdrawEnrolment"> {
  const run: Change["run"] = (tx, row, now) => withdrawOne(tx, row.id, now);
  return (call) => change(broker, call, { action: "withdraw enrolment", outcome: "withdrawn", run });
}
