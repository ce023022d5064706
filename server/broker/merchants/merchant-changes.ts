import type { MerchantChange } from "../../../src/contract/broker/merchant-changes.ts";
import type { Reply } from "../../../src/contract/shared/handler.ts";
import type { Tx } from "../../database/connect.ts";
import type { WriteRefusal } from "../../shared/answer-once.ts";
import type { BrokerContext } from "../access/broker-context.ts";
import type { GatedHandler } from "../access/policy/gate.ts";
import { requireAdmin } from "../access/require-role.ts";
import { type OperatorCall, writeIdempotently } from "../access/write-idempotently.ts";
import { changeAnswer } from "./change-answer.ts";
import {
  agreeToChange,
  type ChangeRow,
  completeChange,
  endChange,
  isOpen,
  lockChange,
  recentChanges,
} from "./change-store.ts";

type ChangeCall = OperatorCall & { readonly params: { readonly id: string } };

/** Lists the merchant changes of the last seven days, with their states. */
export function merchantChanges({ sql, clock }: BrokerContext): GatedHandler<"operator", "merchantChanges"> {
  return async () => {
    const now = clock();
    return { body: (await recentChanges(sql, now)).map((row) => changeAnswer(row, now)) };
  };
}

interface Decision {
  readonly operation: string;
  readonly action: string;
  /** The refusal of a decision; undefined where it may be made. */
  readonly refuse: (row: ChangeRow, operatorId: string, now: Date) => WriteRefusal | undefined;
  readonly run: (tx: Tx, row: ChangeRow, operatorId: string, now: Date) => Promise<ChangeRow>;
}

/** Decides on a change together with its audit record. */
async function decide(
  broker: BrokerContext,
  call: ChangeCall,
  { operation, action, refuse, run }: Decision,
): Promise<Reply<MerchantChange>> {
  const { id } = call.params;
  const { personId: operatorId } = call.principal;
  const about = { operation, action, subject: id };
  await requireAdmin(broker, call, about);
  const write = async (tx: Tx, now: Date) => {
    const row = await lockChange(tx, id);
    if (row === undefined) return { code: "not_found", detail: "Nothing was asked for under this id." } as const;
    const refusal = refuse(row, operatorId, now);
    if (refusal !== undefined) return refusal;
    const answer = changeAnswer(await run(tx, row, operatorId, now), now);
    const { merchant_id, first_party, sells_top_ups, refunds } = row;
    const keys = row.server_keys.map((key) => key.id).join(" ");
    const found = { merchant_id, first_party, sells_top_ups, refunds, server_keys: keys, user: answer.user };
    return { answer, kept: answer, subject: id, outcome: answer.state, facts: found };
  };
  return writeIdempotently(broker, call, { ...about, facts: {}, write });
}

/**
 * Records that the calling admin agrees to a merchant change, and carries it out if nobody else has to agree; refused
 * to the admin who asked for it.
 */
export function agreeToMerchantChange(broker: BrokerContext): GatedHandler<"operator", "agreeToMerchantChange"> {
  const refuse: Decision["refuse"] = (row, operatorId, now) => {
    if (row.outcome === "done") return undefined;
    if (row.made_by === operatorId) {
      return { code: "not_allowed", detail: "You asked for it yourself: another admin has to agree." };
    }
    if (!isOpen(row, now)) return { code: "not_allowed", detail: "It is over: ask for it anew." };
    return undefined;
  };
  const run: Decision["run"] = async (tx, row, operatorId, now) => {
    if (row.agreed_by === null) await agreeToChange(tx, row.id, operatorId, now);
    return completeChange(tx, row.id, now);
  };
  const decision = { operation: "agreeToMerchantChange", action: "agree to merchant change", refuse, run };
  return (call) => decide(broker, call, decision);
}

/**
 * Withdraws a merchant change that has not ended, even if it has expired, whichever admin calls. One that was
 * withdrawn, refused or replaced stays as it is; for one that was carried out, the call is refused with `not_allowed`.
 */
export function withdrawMerchantChange(broker: BrokerContext): GatedHandler<"operator", "withdrawMerchantChange"> {
  const refuse: Decision["refuse"] = (row) =>
    row.outcome === "done"
      ? { code: "not_allowed", detail: "It is done: take it back by changing the merchant." }
      : undefined;
  const run: Decision["run"] = async (tx, row, _operatorId, now) => {
    if (row.ended_at === null) await endChange(tx, row.id, "withdrawn", now);
    return { ...row, ended_at: row.ended_at ?? now, outcome: row.outcome ?? "withdrawn" };
  };
  const decision = { operation: "withdrawMerchantChange", action: "withdraw merchant change", refuse, run };
  return (call) => decide(broker, call, decision);
}
