import type { QuotaAssignmentRecord, RegisteredUser, TransactionRecord, TransferRecord } from "./command.ts";
import type { SettlementRecord } from "./counterparty-commands.ts";
import type { CreditRecord, RepaymentRecord } from "./credit-commands.ts";
import type { Exposure } from "./exposure.ts";
import type { QrRecord } from "./qr-commands.ts";
import type { WholeUser } from "./user-commands.ts";

/** A domain event: its type, and the record that it is about. */
export type DomainEvent =
  | {
      readonly type: "transaction.created" | "transaction.settled" | "transaction.rejected" | "transaction.reversed";
      readonly transaction: TransactionRecord;
    }
  | { readonly type: "qr.paid" | "qr.cancelled" | "qr.expired"; readonly qr: QrRecord }
  | { readonly type: "ledger.transfer"; readonly transfer: TransferRecord }
  | { readonly type: "quota.added"; readonly assignment: QuotaAssignmentRecord }
  | { readonly type: "quota.discharged"; readonly repayment: RepaymentRecord }
  | { readonly type: "credit.repaid"; readonly repayment: RepaymentRecord }
  | { readonly type: "credit.written_off" | "credit.cancelled"; readonly credit: CreditRecord }
  | { readonly type: "counterparty.limit_near"; readonly exposure: Exposure }
  | { readonly type: "counterparty.settled"; readonly settlement: SettlementRecord }
  | { readonly type: "user.created"; readonly user: RegisteredUser }
  | { readonly type: "user.updated" | "user.blocked"; readonly user: WholeUser };

/** A domain event as it is sent to one entity. */
export interface LedgerEvent {
  readonly id: string;
  readonly entityId: string;
  readonly event: DomainEvent;
  readonly createdAt: Date;
}
