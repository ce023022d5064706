import type { Transaction } from "../../../src/contract/service/transactions.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { Sql } from "../../database/connect.ts";
import type { TransactionRecord } from "../../ledger/model/command.ts";
import { exceededLimitAnswer } from "../shared/exceeded-limit-answer.ts";
import { type ServiceContext, toNumber } from "../shared/service-context.ts";
import { reachedReceiver } from "../shared/visible-side.ts";

type JsonObject = Record<string, unknown>;
type Answering = Pick<ServiceContext, "currency" | "time">;

/**
 * Builds the SQL condition of the payments that an entity may see: those that it made, those of payers it created, and
 * those that reached payees it created.
 */
export function visibleTo(sql: Sql, entityId: string) {
  return sql`(made_by = ${entityId} or from_creator_id = ${entityId}
    or to_creator_id = ${entityId} and ${reachedReceiver(sql, "transactions")})`;
}

/**
 * Builds the answer of a payment for an entity: it shows each party's balance only to that party's creator, and the
 * limit that was exceeded only to the payer's.
 */
export function transactionAnswer(record: TransactionRecord, viewerId: string, service: Answering): Transaction {
  const { currency } = service;
  const { fromBalanceAfter, toBalanceAfter, exceededLimit } = record;
  const isPayersCreator = record.fromCreatorId === viewerId;
  return {
    id: record.id,
    reference: record.reference,
    kind: record.kind as Transaction["kind"],
    status: record.status as Transaction["status"],
    ...(record.reason === null ? {} : { reason: record.reason as NonNullable<Transaction["reason"]> }),
    ...(exceededLimit !== null && isPayersCreator
      ? { exceeded_limit: exceededLimitAnswer(exceededLimit, service) }
      : {}),
    amount: toNumber(currency, record.amount),
    currency: currency.code,
    ...(record.heldAmount === null ? {} : { held_amount: toNumber(currency, record.heldAmount) }),
    ...(record.holdExpiresAt === null ? {} : { hold_expires_at: record.holdExpiresAt.toISOString() }),
    ...(record.reversedAmount === 0n ? {} : { reversed_amount: toNumber(currency, record.reversedAmount) }),
    ...(record.reverses === null ? {} : { reverses: record.reverses }),
    date: record.date.toISOString(),
    created_at: record.createdAt.toISOString(),
    details: parseExactJson(record.details) as JsonObject,
    ...(record.qrDetails === null ? {} : { qr_details: parseExactJson(record.qrDetails) as JsonObject }),
    from_user: record.fromUser,
    from_user_id: record.fromUserId,
    ...(record.fromBusinessName === null ? {} : { from_business_name: record.fromBusinessName }),
    to_user: record.toUser,
    to_user_id: record.toUserId,
    ...(record.toBusinessName === null ? {} : { to_business_name: record.toBusinessName }),
    ...(fromBalanceAfter !== null && isPayersCreator
      ? { from_balance_after: toNumber(currency, fromBalanceAfter) }
      : {}),
    ...(toBalanceAfter !== null && record.toCreatorId === viewerId
      ? { to_balance_after: toNumber(currency, toBalanceAfter) }
      : {}),
  };
}
