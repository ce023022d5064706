import type { Approval } from "../../../../src/contract/broker/broker.ts";
import { type BrokerContext, toInstant, toNumber } from "../../access/broker-context.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { sessionShop, toldMerchant } from "../../access/session-merchants.ts";
import { findNickname } from "../../people/contacts/contact-store.ts";
import { limitOf } from "../../upstream/resolve-outcome.ts";
import { approvalRequest } from "./approval-challenge.ts";
import type { ApprovalRow } from "./approval-store.ts";

/** True if an approval is still open though its two minutes are over. */
export function isExpired(row: ApprovalRow, now: Date): boolean {
  return row.state === "open" && row.expires_at.getTime() <= now.getTime();
}

/**
 * Returns the state of an approval as it is answered. "expired" is one that was withdrawn after its two minutes: an
 * open one is never called so, because a request may still be consuming it.
 */
export function stateOf({ state, finished_at: finishedAt, expires_at: expiresAt }: ApprovalRow): Approval["state"] {
  const isLate = finishedAt !== null && finishedAt.getTime() >= expiresAt.getTime();
  return state === "withdrawn" && isLate ? "expired" : state;
}

type Approving = Pick<Approval, "nickname" | "options" | "may_pay_from">;

/** Fields that the person needs to approve; none once the approval is over. */
async function approving(broker: BrokerContext, row: ApprovalRow, principal: PersonPrincipal): Promise<Approving> {
  if (row.state !== "open" || isExpired(row, broker.clock())) return {};
  const { mayPayFrom } = principal;
  const [options, nickname] = await Promise.all([
    broker.authenticator.approvalOptions(principal, approvalRequest(row)),
    findNickname(broker.sql, row.user_id, row.payee_id),
  ]);
  return {
    ...(nickname === undefined ? {} : { nickname }),
    ...(mayPayFrom === undefined ? {} : { may_pay_from: toInstant(mayPayFrom) }),
    ...(options === undefined ? {} : { options }),
  };
}

/** The state that the shop's page is told: its code is unpaid while the approval is open, and paid once approved. */
const RETURN_STATES: Readonly<Partial<Record<ApprovalRow["state"], "cancelled" | "paid">>> = Object.freeze({
  open: "cancelled",
  approved: "paid",
});

/**
 * Builds the answer of an approval for its person: with what is needed to approve while it is open, else with its
 * outcome, and with the available quota where that is given.
 */
export async function approvalAnswer(
  broker: BrokerContext,
  row: ApprovalRow,
  principal: PersonPrincipal,
  quotaAvailable?: number,
): Promise<Approval> {
  const now = broker.clock();
  const { id, operation, payee, first_time_payee, currency, method } = row;
  const code = operation === "pay" ? (row.reference ?? undefined) : undefined;
  const [shop, more] = await Promise.all([sessionShop(broker.sql, code), approving(broker, row, principal)]);
  const returnState = RETURN_STATES[row.state];
  const back = returnState && shop?.back(returnState);
  return {
    ...{ id, operation, payee, first_time_payee, currency, method },
    state: stateOf(row),
    amount: toNumber(broker, row.amount),
    expires_in: Math.max(0, Math.ceil((row.expires_at.getTime() - now.getTime()) / 1000)),
    ...(row.check_code === null ? {} : { check_code: row.check_code }),
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...toldMerchant(shop?.name, payee),
    ...(back === undefined ? {} : { return_url: back }),
    ...more,
    ...(row.transaction_id === null ? {} : { transaction_id: row.transaction_id }),
    ...(row.transaction_reference === null ? {} : { transaction_reference: row.transaction_reference }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...limitOf(row.exceeded_limit),
    ...(row.finished_at === null ? {} : { decided_at: toInstant(row.finished_at) }),
    ...(row.corrected_at === null ? {} : { corrected_at: toInstant(row.corrected_at) }),
    ...(quotaAvailable === undefined ? {} : { quota_available: quotaAvailable }),
  };
}
