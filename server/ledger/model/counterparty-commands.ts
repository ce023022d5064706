import type { Exposure } from "./exposure.ts";

/** Sets the limit of a debtor's exposure to the caller's entity; null restores the default. */
export interface LimitCounterparty {
  readonly type: "limit-counterparty";
  readonly debtorId: string;
  readonly limit: bigint | null;
}

/** Records a payment outside the ledger by which a debtor settled part or all of its debt to the caller's entity. */
export interface RecordSettlement {
  readonly type: "record-settlement";
  readonly debtorId: string;
  readonly amount: bigint;
  readonly reference: string;
}

/** The debtor's exposure with its new limit, and the caller's exposure to the debtor. */
export interface LimitRecord {
  readonly exposure: Exposure;
  readonly reverse: Exposure;
}

/** A settlement between entities that was recorded. */
export interface SettlementRecord {
  readonly reference: string;
  readonly creditorId: string;
  readonly debtorId: string;
  readonly amount: bigint;
}
