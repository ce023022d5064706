import * as apiClients from "./api-clients.ts";
import * as books from "./books.ts";
import * as counterpartyLimits from "./counterparty-limits.ts";
import * as credits from "./credits.ts";
import * as entitySettings from "./entity-settings.ts";
import * as idempotencyKeys from "./idempotency-keys.ts";
import * as ledger from "./ledger.ts";
import * as loanTypes from "./loan-types.ts";
import * as qr from "./qr.ts";
import * as quota from "./quota.ts";
import * as reports from "./reports.ts";
import * as transactionChanges from "./transaction-changes.ts";
import * as transactions from "./transactions.ts";
import * as userList from "./user-list.ts";
import * as users from "./users.ts";
import * as webhooks from "./webhooks.ts";

/** The service's operations by name: the twenty of the interface, and the extensions. The token endpoint is apart. */
export const serviceContract = Object.freeze({
  createTransaction: transactions.createTransaction,
  createPaymentTransaction: transactions.createPaymentTransaction,
  createRechargeTransaction: transactions.createRechargeTransaction,
  settleTransaction: transactionChanges.settleTransaction,
  reverseTransaction: transactionChanges.reverseTransaction,
  transaction: transactions.transaction,
  transactionHistory: transactions.transactionHistory,
  receivedPayments: transactions.receivedPayments,
  transactionSummary: transactions.transactionSummary,
  findTransactionByReference: transactions.findTransactionByReference,
  createTransactionQr: qr.createTransactionQr,
  transactionQr: qr.transactionQr,
  cancelTransactionQr: qr.cancelTransactionQr,
  createLedgerTransaction: ledger.createLedgerTransaction,
  ledgerTransactionHistory: ledger.ledgerTransactionHistory,
  voidIdempotencyKey: idempotencyKeys.voidIdempotencyKey,
  user: users.user,
  users: userList.users,
  createUser: users.createUser,
  updateUser: users.updateUser,
  blockUser: users.blockUser,
  unblockUser: users.unblockUser,
  entitySettings: entitySettings.entitySettings,
  putEntitySettings: entitySettings.putEntitySettings,
  counterpartyLimits: counterpartyLimits.counterpartyLimits,
  putCounterpartyLimit: counterpartyLimits.putCounterpartyLimit,
  recordSettlement: counterpartyLimits.recordSettlement,
  addQuota: quota.addQuota,
  dischargeQuota: quota.dischargeQuota,
  previewAddQuota: quota.previewAddQuota,
  previewDischargeQuota: quota.previewDischargeQuota,
  credits: credits.credits,
  repayCredit: credits.repayCredit,
  writeOffCredit: credits.writeOffCredit,
  cancelCredit: credits.cancelCredit,
  importCredit: credits.importCredit,
  loanTypes: loanTypes.loanTypes,
  putLoanType: loanTypes.putLoanType,
  getTransactionStatistics: reports.getTransactionStatistics,
  getHarvestStatistics: reports.getHarvestStatistics,
  getClientStatistics: reports.getClientStatistics,
  getAccountingReport: reports.getAccountingReport,
  closeMonth: reports.closeMonth,
  reopenMonth: reports.reopenMonth,
  reverseAccruals: reports.reverseAccruals,
  accounts: books.accounts,
  entries: books.entries,
  accountStatement: books.accountStatement,
  apiClients: apiClients.apiClients,
  createApiClient: apiClients.createApiClient,
  rotateApiClient: apiClients.rotateApiClient,
  disableApiClient: apiClients.disableApiClient,
  putWebhook: webhooks.putWebhook,
  webhooks: webhooks.webhooks,
  webhookDeliveries: webhooks.webhookDeliveries,
  redeliverWebhook: webhooks.redeliverWebhook,
});

/** The service's contract as a type. */
export type ServiceContract = typeof serviceContract;
