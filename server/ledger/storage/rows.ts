import type { RegisteredUser, TransactionRecord, TransferRecord } from "../model/command.ts";
import type { CreditAccrual, CreditMovement, CreditRecord } from "../model/credit-commands.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type { LedgerAccount, TransactionChange } from "../model/state.ts";
import type { WholeUser } from "../model/user-commands.ts";
import { digits, type IdRow, type Row } from "./insert-rows.ts";

/** An account as it is opened. */
export const accountRow = (account: LedgerAccount): Row => ({
  id: account.id,
  kind: account.kind,
  entity_id: account.entityId,
  counterparty_id: account.counterpartyId,
  day: account.day,
  slot: account.slot,
  posted: digits(account.posted),
  held: digits(account.held),
  entry_count: digits(account.entryCount),
  active_on: account.activeOn,
  spent: digits(account.spent),
  spent_on: account.spentOn,
});

type UserRecord = Omit<WholeUser, "blockedAt" | "importedHistory" | "changedId">;

const userColumns = (user: UserRecord) => ({
  id: user.id,
  creator_id: user.creatorId,
  name: user.name,
  business_name: user.businessName,
  nit: user.nit,
  phone: user.phone,
  email: user.email,
  address: user.address,
  image: user.image,
  score: user.score,
  status: user.status,
  payment_data: user.paymentData,
  apn_token_hash: `\\x${Buffer.from(user.apnTokenHash).toString("hex")}`,
  created_at: user.createdAt,
});

/** A user as it is registered. */
export const userRow = (user: RegisteredUser): Row => ({
  ...userColumns(user),
  imported_history: "[]",
  changed_id: user.id,
});

/** A user as it was changed. */
export const changedUserRow = (user: WholeUser): IdRow => ({
  ...userColumns(user),
  blocked_at: user.blockedAt,
  imported_history: user.importedHistory,
  changed_id: user.changedId,
});

/** A payment as it was recorded. */
export const transactionRow = (record: TransactionRecord): Row => ({
  id: record.id,
  reference: record.reference,
  kind: record.kind,
  status: record.status,
  reason: record.reason,
  exceeded_limit: record.exceededLimit,
  amount: digits(record.amount),
  held_amount: digits(record.heldAmount),
  hold_expires_at: record.holdExpiresAt,
  reversed_amount: digits(record.reversedAmount),
  reverses: record.reverses,
  status_count: record.statusCount,
  date: record.date,
  details: record.details,
  qr_details: record.qrDetails,
  from_user_id: record.fromUserId,
  from_user: record.fromUser,
  from_business_name: record.fromBusinessName,
  from_creator_id: record.fromCreatorId,
  to_user_id: record.toUserId,
  to_user: record.toUser,
  to_business_name: record.toBusinessName,
  to_creator_id: record.toCreatorId,
  from_balance_after: digits(record.fromBalanceAfter),
  to_balance_after: digits(record.toBalanceAfter),
  made_by: record.madeBy,
  posting_id: record.postingId,
  created_at: record.createdAt,
});

/** What may change of a recorded payment. */
export const changedTransactionRow = ({ after }: TransactionChange): IdRow => ({
  id: after.id,
  reference: after.reference,
  status: after.status,
  reason: after.reason,
  amount: digits(after.amount),
  hold_expires_at: after.holdExpiresAt,
  reversed_amount: digits(after.reversedAmount),
  status_count: after.statusCount,
  from_balance_after: digits(after.fromBalanceAfter),
  to_balance_after: digits(after.toBalanceAfter),
  posting_id: after.postingId,
});

/** The latest status of a payment, for its history. */
export const statusRow = (record: TransactionRecord, at: Date): Row => ({
  transaction_id: record.id,
  sequence_number: record.statusCount,
  status: record.status,
  reason: record.reason,
  created_at: at,
});

/** A transfer as it was decided. */
export const transferRow = (record: TransferRecord): Row => ({
  id: record.id,
  reference: record.reference,
  status: record.status,
  reason: record.reason,
  exceeded_limit: record.exceededLimit,
  amount: digits(record.amount),
  date: record.date,
  details: record.details,
  from_user_id: record.fromUserId,
  from_creator_id: record.fromCreatorId,
  to_user_id: record.toUserId,
  to_creator_id: record.toCreatorId,
  made_by: record.madeBy,
  posting_id: record.postingId,
  created_at: record.createdAt,
});

/** A QR as it was reserved. */
export const qrRow = (qr: QrRecord): Row => ({
  reference: qr.reference,
  payload: qr.payload,
  check_code: qr.checkCode,
  to_user_id: qr.toUserId,
  to_user: qr.toUser,
  from_user_id: qr.fromUserId,
  amount: digits(qr.amount),
  details: qr.details,
  made_by: qr.madeBy,
  created_at: qr.createdAt,
  expires_at: qr.expiresAt,
  cancelled_at: qr.cancelledAt,
  transaction_id: qr.transactionId,
});

/** A credit as it stands. */
export const creditRow = (credit: CreditRecord): IdRow => ({
  id: credit.id,
  entity_id: credit.entityId,
  user_id: credit.userId,
  loan_type: credit.loanType,
  reference: credit.reference,
  state: credit.state,
  is_imported: credit.isImported,
  principal: digits(credit.principal),
  outstanding: digits(credit.outstanding),
  annual_rate_bps: credit.annualRateBps,
  day_basis: credit.dayBasis,
  after_due: credit.afterDue,
  arrear_after: credit.arrearAfter,
  default_after: credit.defaultAfter,
  due_date: credit.dueDate,
  opened_on: credit.openedOn,
  closed_on: credit.closedOn,
  accrued_through: credit.accruedThrough,
  accrual_numerator: digits(credit.accrualNumerator),
  accrued: digits(credit.accrued),
  unpaid_interest: digits(credit.unpaidInterest),
  paid_interest: digits(credit.paidInterest),
  written_off_principal: digits(credit.writtenOffPrincipal),
  written_off_interest: digits(credit.writtenOffInterest),
  recovered: digits(credit.recovered),
  movement_count: credit.movementCount,
  posting_id: credit.postingId,
  created_at: credit.createdAt,
  changed_id: credit.changedId,
});

/** A movement of a credit. */
export const movementRow = (movement: CreditMovement): Row => ({
  credit_id: movement.creditId,
  sequence_number: movement.sequenceNumber,
  kind: movement.kind,
  day: movement.day,
  principal: digits(movement.principal),
  interest: digits(movement.interest),
  posting_id: movement.postingId,
  created_at: movement.createdAt,
});

/** A day's interest of a credit. */
export const accrualRow = (accrual: CreditAccrual): Row => ({
  credit_id: accrual.creditId,
  day: accrual.day,
  amount: digits(accrual.amount),
  posting_id: accrual.postingId,
});
