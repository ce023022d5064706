import { SCOPES, type Scope } from "../../../src/contract/shared/scopes.ts";
import type { OperationName } from "../../support/service-calls.ts";
import type { Verdict, Verdicts } from "./verdict.ts";

/** Credentials of the broker's side, which mean nothing to the service. */
const BROKER_CREDENTIALS = ["cookie", "sk_", "pk_", "ws_"] as const;

/**
 * Callers of the service: nobody, somebody with a credential of the broker, an API client of the users' own entity with
 * one scope alone, and one of another entity with every scope.
 */
export type ServicePrincipal = "visitor" | (typeof BROKER_CREDENTIALS)[number] | Scope | "stranger";

const STRANGERS_TO_ALL = { visitor: 401, cookie: 401, sk_: 401, pk_: 401, ws_: 401 } as const;

/** A row for one scope, and the verdict on another entity's client that names our things in it. */
function only(scope: Scope, stranger: Verdict): Verdicts<ServicePrincipal> {
  const others = Object.fromEntries(SCOPES.map((each) => [each, each === scope ? "allowed" : 403]));
  return { ...STRANGERS_TO_ALL, ...(others as Record<Scope, Verdict>), stranger };
}

const OWN = "own records only";

/** The verdict on each operation of the service for each principal. */
export const serviceVerdicts = Object.freeze({
  createTransaction: only("pay", 403),
  createPaymentTransaction: only("pay", 403),
  createRechargeTransaction: only("pay", 403),
  settleTransaction: only("pay", 404),
  reverseTransaction: only("pay", 404),
  transaction: only("read", 404),
  transactionHistory: only("read", OWN),
  receivedPayments: only("read", OWN),
  transactionSummary: only("read", OWN),
  findTransactionByReference: only("read", 404),
  createTransactionQr: only("pay", "allowed"),
  transactionQr: only("read", "allowed"),
  cancelTransactionQr: only("pay", 403),
  createLedgerTransaction: only("pay", 403),
  ledgerTransactionHistory: only("read", OWN),
  voidIdempotencyKey: only("pay", OWN),
  user: only("read", OWN),
  users: only("read", OWN),
  createUser: only("users", OWN),
  updateUser: only("users", 403),
  blockUser: only("users", 403),
  unblockUser: only("users", 403),
  entitySettings: only("read", OWN),
  putEntitySettings: only("administration", OWN),
  counterpartyLimits: only("read", OWN),
  putCounterpartyLimit: only("administration", OWN),
  recordSettlement: only("administration", 409),
  addQuota: only("quota", 403),
  dischargeQuota: only("quota", 403),
  previewAddQuota: only("read", 403),
  previewDischargeQuota: only("read", 403),
  credits: only("read", OWN),
  repayCredit: only("quota", 409),
  writeOffCredit: only("quota", 404),
  cancelCredit: only("quota", 404),
  importCredit: only("quota", 403),
  loanTypes: only("read", OWN),
  putLoanType: only("administration", OWN),
  getTransactionStatistics: only("read", 403),
  getHarvestStatistics: only("read", 403),
  getClientStatistics: only("read", 403),
  getAccountingReport: only("read", OWN),
  closeMonth: only("administration", OWN),
  reopenMonth: only("administration", OWN),
  reverseAccruals: only("administration", OWN),
  accounts: only("read", OWN),
  entries: only("read", OWN),
  accountStatement: only("read", 403),
  apiClients: only("read", OWN),
  createApiClient: only("administration", OWN),
  rotateApiClient: only("administration", 404),
  disableApiClient: only("administration", 404),
  putWebhook: only("administration", OWN),
  webhooks: only("read", OWN),
  webhookDeliveries: only("read", 404),
  redeliverWebhook: only("administration", 404),
} satisfies Record<OperationName, Verdicts<ServicePrincipal>>);
