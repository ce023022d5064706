import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import type { OperatorEnrolment } from "../../../src/contract/passkeys.ts";
import type { Tx } from "../../database/connect.ts";
import { type BrokerContext, takeFrom, toInstant } from "../broker-context.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import { findUser } from "../look-ups/find-user.ts";
import type { Refusal } from "../merchants/manage-merchants.ts";
import { type OperatorCall, repliedBefore, type Written, writeOnce } from "../merchants/write-once.ts";
import { appOrigin } from "../passkeys/relying-party.ts";
import { enrolmentLink } from "./enrolment-secret.ts";
import { agreeAsSecond, type EnrolmentRow, findOfOperators, listOfOperators, withdrawOne } from "./enrolment-store.ts";
import { type Invitation, inviteUser } from "./invite-user.ts";
import { holdOperator } from "./manage-operators.ts";
import { isWaiting } from "./open-enrolment.ts";
import { requireClerk } from "./require-clerk.ts";

type CreateCall = Parameters<GatedHandler<"operator", "createEnrolment">>[0];

const LISTED_MS = 24 * 60 * 60_000;

function stateOf(row: EnrolmentRow, now: Date): OperatorEnrolment["state"] {
  if (row.used_at !== null) return "used";
  const isOver = row.withdrawn_at !== null || row.tries_left === 0 || row.expires_at <= now;
  if (isOver) return "over";
  return isWaiting(row) ? "waiting" : "ready";
}

function answerOf(row: EnrolmentRow, now: Date): OperatorEnrolment {
  const { id, user_id: userId, name, delayed } = row;
  if (userId === null) throw new Error(`enrolment ${id} is for no user`);
  return {
    ...{ id, user_id: userId, name, state: stateOf(row, now), delayed },
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

async function userOf(call: CreateCall, service: Granted<"operator", "createEnrolment">) {
  const { user_id: id, ...key } = call.body;
  const user = await findUser(service, id === undefined ? key : { id });
  if (user !== undefined) return user;
  throw new ApiError("user_not_found", { detail: "No user has this id, phone or nit: compare it, digit by digit." });
}

/** Makes the link: who loses the answer makes another, for it is kept as hashes alone. */
function making(broker: BrokerContext, call: CreateCall, invited: Omit<Invitation, "digits" | "madeBy">) {
  const { newId, random, currency, publicOrigin } = broker;
  const invitation = { ...invited, digits: currency.digits, madeBy: call.principal.personId };
  return async (tx: Tx, now: Date): Promise<Written<Created> | Refusal> => {
    if (!(await holdOperator(tx, call.principal.personId))) throw new ApiError("unauthorized");
    const made = await inviteUser(tx, invitation, { newId, random, now });
    if (made === undefined) return { code: "not_allowed", detail: "This person was shut out of the app." };
    const { id: subject, personId, delayed, needsSecond, withdrew, secret, code } = made;
    const kept = answerOf(await known(tx, subject), now);
    const answer = { ...kept, link: enrolmentLink(appOrigin(publicOrigin, call.origin), secret), code };
    const facts = { person_id: personId, delayed, needs_second: needsSecond, withdrew };
    return { answer, kept, subject, outcome: "made", facts };
  };
}

/** Invites a user, once for each idempotency key: the link and the code are in the first answer alone. */
export function createEnrolment(broker: BrokerContext): GatedHandler<"operator", "createEnrolment"> {
  const about = { operation: "createEnrolment", action: "make enrolment", subject: undefined };
  return async (call, service) => {
    await requireClerk(broker, call, about);
    // Before the service is asked: what is made already can be told while the service is away.
    const earlier = await repliedBefore<Created>(broker.sql, call, about.operation);
    if (earlier !== undefined) return earlier;
    takeFrom(broker.guardLimit, `enrol:${call.principal.personId}`);
    const { id, name, business_name: business, quota } = await userOf(call, service);
    const write = making(broker, call, { user: { id, name: business ?? name }, quota });
    return writeOnce(broker, call, { ...about, facts: {}, write });
  };
}

/** Lists the enrolments of the last day, without secret and code. */
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

/** Changes one enrolment together with its audit record; a refusal is in the audit too. */
async function change(
  broker: BrokerContext,
  { principal, requestId, params }: OperatorCall & { readonly params: { readonly id: string } },
  { action, outcome, run }: Change,
): Promise<{ readonly body: OperatorEnrolment }> {
  const { sql, audit, clock, refusalLimit } = broker;
  const about = { requestId, principal, action, subject: params.id };
  await requireClerk(broker, { principal, requestId, idempotency: undefined }, about);
  try {
    return await sql.begin("isolation level read committed", async (tx) => {
      const now = clock();
      if (!(await holdOperator(tx, principal.personId))) throw new ApiError("unauthorized");
      const isChanged = await run(tx, await known(tx, params.id), now);
      await audit(tx, { ...about, outcome: isChanged ? outcome : "unchanged" });
      return { body: answerOf(await known(tx, params.id), now) };
    });
  } catch (error) {
    if (error instanceof ApiError && refusalLimit.take(principal.personId).allowed) {
      await audit(sql, { ...about, outcome: error.code });
    }
    throw error;
  }
}

/** Agrees as a second operator; whoever made the enrolment is none. */
export function agreeToEnrolment(broker: BrokerContext): GatedHandler<"operator", "agreeToEnrolment"> {
  return (call) => {
    const operatorId = call.principal.personId;
    const run: Change["run"] = async (tx, row, now) => {
      if (row.made_by === operatorId) {
        throw new ApiError("not_allowed", { detail: "You made it yourself: another operator has to agree." });
      }
      if (!row.needs_second) throw new ApiError("not_allowed", { detail: "This link needs no second operator." });
      if (stateOf(row, now) === "ready") return false;
      if (await agreeAsSecond(tx, row.id, operatorId, now)) return true;
      throw new ApiError("enrolment_not_found", { detail: "The link is over: make a new one." });
    };
    return change(broker, call, { action: "agree to enrolment", outcome: "agreed", run });
  };
}

/** Ends a link before it is used; one that is over already stays as it is. */
export function withdrawEnrolment(broker: BrokerContext): GatedHandler<"operator", "withdrawEnrolment"> {
  const run: Change["run"] = (tx, row, now) => withdrawOne(tx, row.id, now);
  return (call) => change(broker, call, { action: "withdraw enrolment", outcome: "withdrawn", run });
}
