import type { Table } from "./columns.ts";

/** Payments and refunds as they stand. Amounts are minor units. */
export const TRANSACTIONS = Object.freeze({
  name: "transactions",
  key: { id: "uuid" },
  fixed: {
    kind: "text",
    /** With `limit_exceeded`, the limit as JSON text (`ExceededLimit`); else null. */
    exceededLimit: "text null",
    /** The amount that is or was held; null for a payment that never was a hold. */
    heldAmount: "bigint null",
    /** The payment that a refund reverses. */
    reverses: "uuid null",
    date: "timestamptz",
    details: "json",
    qrDetails: "json null",
    fromUserId: "uuid",
    fromUser: "text",
    fromBusinessName: "text null",
    fromCreatorId: "uuid",
    toUserId: "uuid",
    toUser: "text",
    toBusinessName: "text null",
    toCreatorId: "uuid",
    madeBy: "uuid",
    createdAt: "timestamptz",
  },
  changing: {
    reference: "text",
    status: "text",
    reason: "text null",
    amount: "bigint",
    holdExpiresAt: "timestamptz null",
    /** The sum of its refunds. */
    reversedAmount: "bigint",
    /** How many statuses it has had. */
    statusCount: "smallint",
    fromBalanceAfter: "bigint null",
    toBalanceAfter: "bigint null",
    postingId: "uuid null",
  },
} as const satisfies Table);

/** The statuses that payments took on after their first, which follows from their row; the view has all of them. */
export const TRANSACTION_STATUS_CHANGES = Object.freeze({
  name: "transaction_status_changes",
  key: { transactionId: "uuid", sequenceNumber: "smallint" },
  fixed: { status: "text", reason: "text null", createdAt: "timestamptz" },
} as const satisfies Table);

/** Changes of payments after they were recorded: a row for each party, by which lists of changes find them. */
export const TRANSACTION_CHANGES = Object.freeze({
  name: "transaction_changes",
  key: { userId: "uuid", changeId: "uuid", transactionId: "uuid" },
} as const satisfies Table);

/** Additions of changed payments to the totals of their payer and payee, until those are folded. */
export const PAYEE_CHANGES = Object.freeze({
  name: "payee_changes",
  key: { fromUserId: "uuid", changeId: "uuid" },
  fixed: {
    toUserId: "uuid",
    fromCreatorId: "uuid",
    toCreatorId: "uuid",
    transactionId: "uuid",
    createdAt: "timestamptz",
    /** The posting of a payment that is settled now. */
    settledBy: "uuid null",
    total: "bigint",
    pending: "smallint",
    approved: "smallint",
    rejected: "smallint",
    reversed: "smallint",
  },
} as const satisfies Table);

/** Additions of batches, each with its version, to the histograms of days and months, until those are folded. */
export const HISTOGRAM_CHANGES = Object.freeze({
  name: "histogram_changes",
  key: { entityId: "uuid", day: "date", kind: "text", event: "text", version: "bigint" },
  fixed: { buckets: "integer[]", counts: "bigint[]" },
} as const satisfies Table);

/** Transfers as they were decided. Amounts are minor units. */
export const TRANSFERS = Object.freeze({
  name: "transfers",
  key: { id: "uuid" },
  fixed: {
    reference: "text",
    status: "text",
    reason: "text null",
    /** With `limit_exceeded`, the limit as JSON text (`ExceededLimit`); else null. */
    exceededLimit: "text null",
    amount: "bigint",
    date: "timestamptz",
    details: "json",
    fromUserId: "uuid",
    fromCreatorId: "uuid",
    toUserId: "uuid",
    toCreatorId: "uuid",
    madeBy: "uuid",
    postingId: "uuid null",
    createdAt: "timestamptz",
  },
} as const satisfies Table);

/** Dynamic QRs: each reserves its reference. */
export const QR_RESERVATIONS = Object.freeze({
  name: "qr_reservations",
  key: { reference: "text" },
  fixed: {
    payload: "text",
    checkCode: "text",
    toUserId: "uuid",
    toUser: "text",
    fromUserId: "uuid null",
    amount: "bigint",
    details: "json",
    madeBy: "uuid",
    createdAt: "timestamptz",
    expiresAt: "timestamptz",
  },
  changing: {
    cancelledAt: "timestamptz null",
    /** The approved or pending payment that took it. */
    transactionId: "uuid null",
    /** Drawn at its latest change. */
    version: "bigint",
  },
} as const satisfies Table);

/** Credits as they stand, assigned or imported. Amounts are minor units. */
export const CREDITS = Object.freeze({
  name: "credits",
  key: { id: "uuid" },
  fixed: {
    entityId: "uuid",
    userId: "uuid",
    loanType: "text",
    reference: "text",
    /** Taken over from elsewhere: it gave no quota, and its first interest was not accrued here. */
    isImported: "boolean",
    principal: "bigint",
    annualRateBps: "integer",
    dayBasis: "integer",
    afterDue: "text",
    arrearAfter: "smallint",
    defaultAfter: "smallint",
    dueDate: "date null",
    openedOn: "date",
    postingId: "uuid",
    createdAt: "timestamptz",
  },
  changing: {
    state: "text",
    /** Principal that is still owed. */
    outstanding: "bigint",
    closedOn: "date null",
    accruedThrough: "date",
    /** N of the accrual formula. */
    accrualNumerator: "numeric",
    /** A of the accrual formula: all interest that was ever accrued here. */
    accrued: "bigint",
    unpaidInterest: "bigint",
    paidInterest: "bigint",
    writtenOffPrincipal: "bigint",
    writtenOffInterest: "bigint",
    recovered: "bigint",
    movementCount: "integer",
    changedId: "uuid",
  },
} as const satisfies Table);

/** Changes of credits; the kind says whether one adds to the debt (granted, imported) or takes from it. */
export const CREDIT_MOVEMENTS = Object.freeze({
  name: "credit_movements",
  key: { creditId: "uuid", sequenceNumber: "integer" },
  fixed: {
    kind: "text",
    /** Booking day. */
    day: "date",
    principal: "bigint",
    interest: "bigint",
    postingId: "uuid",
    createdAt: "timestamptz",
  },
} as const satisfies Table);

/** The interest of credits for each day, as each posting booked it; a reversal is a row of its own, below zero. */
export const CREDIT_ACCRUALS = Object.freeze({
  name: "credit_accruals",
  key: { creditId: "uuid", day: "date", postingId: "uuid" },
  fixed: { amount: "bigint" },
} as const satisfies Table);

/** Users with all fields but their balance. */
export const USERS = Object.freeze({
  name: "users",
  key: { id: "uuid" },
  fixed: { creatorId: "uuid", apnTokenHash: "bytea", createdAt: "timestamptz" },
  changing: {
    name: "text",
    businessName: "text null",
    nit: "text",
    phone: "text",
    email: "text null",
    address: "text null",
    image: "text null",
    score: "smallint null",
    status: "text",
    paymentData: "json",
    blockedAt: "timestamptz null",
    /** An array of the creator's own records. */
    importedHistory: "json",
    /** Drawn at the latest change. */
    changedId: "uuid",
  },
} as const satisfies Table);

/** Accounts and their balances in signed minor units: credit positive, debit negative. */
export const ACCOUNTS = Object.freeze({
  name: "accounts",
  key: { id: "uuid" },
  fixed: {
    kind: "text",
    entityId: "uuid",
    counterpartyId: "uuid null",
    /** Business day of due-to and due-from accounts, which are never long-lived rows. */
    day: "date null",
    /** The writer's slot: entities' accounts are kept per slot, so that two processes seldom wait for one another. */
    slot: "smallint null",
  },
  changing: {
    posted: "bigint",
    /** Part of a user's balance that holds have taken: available = posted − held. */
    held: "bigint",
    /** How many entries it has: the sequence number of the latest. */
    entryCount: "bigint",
    /** Booking day of its latest entry. */
    activeOn: "date null",
    /** The sum that the user sent in payments on `spentOn`, holds included: the limit per day counts it. */
    spent: "bigint",
    spentOn: "date null",
    /** Drawn at its latest change. */
    version: "bigint",
  },
} as const satisfies Table);

/** Runs of entries of users' accounts that are booked on one day, by the sequence number of the first of them. */
export const ACCOUNT_DAYS = Object.freeze({
  name: "account_days",
  key: { accountId: "uuid", day: "date", firstEntry: "bigint" },
} as const satisfies Table);

/** Double-entry postings. */
export const POSTINGS = Object.freeze({
  name: "postings",
  key: { id: "uuid" },
  fixed: { kind: "text", reference: "text", businessDay: "date", slot: "smallint", createdAt: "timestamptz" },
} as const satisfies Table);

/** Entries of postings: immutable, each with the balance that it left. */
export const ENTRIES = Object.freeze({
  name: "entries",
  key: { accountId: "uuid", sequenceNumber: "bigint" },
  fixed: { postingId: "uuid", amount: "bigint", balanceAfter: "bigint" },
} as const satisfies Table);

/** Keys of the entries of entities' own accounts, by which they are listed for an entity and a kind of account. */
export const ENTITY_ENTRIES = Object.freeze({
  name: "entity_entries",
  key: { entityId: "uuid", kind: "text", postingId: "uuid", accountId: "uuid", sequenceNumber: "bigint" },
} as const satisfies Table);

/** Answers of requests with an idempotency key: their JSON text, or the payment that they tell as it was recorded. */
export const IDEMPOTENCY_RECORDS = Object.freeze({
  name: "idempotency_records",
  key: { entityId: "uuid", operation: "text", key: "text" },
  fixed: {
    clientId: "text",
    fingerprint: "text",
    answer: "json null",
    transactionId: "uuid null",
    createdAt: "timestamptz",
  },
} as const satisfies Table);
