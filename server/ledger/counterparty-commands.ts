import type { Exposure } from "./exposure.ts";

/** Sets what a debtor may come to owe the caller's entity; null goes back to what holds where nothing is set. */
export interface LimitCounterparty {
  readonly type: "limit-counterparty";
  readonly debtorId: string;
  readonly limit: bigint | null;
}

/** Records what a debtor paid the caller's entity outside, of what it owes it. */
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
