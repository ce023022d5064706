import type { ServiceContract } from "../../src/contract/service/service.ts";
import type { Handlers } from "../../src/contract/shared/handler.ts";
import { reverseAccruals } from "./accrual/reverse-accruals.ts";
import { createApiClient } from "./api-clients/create-api-client.ts";
import { disableApiClient } from "./api-clients/disable-api-client.ts";
import { apiClients } from "./api-clients/list-api-clients.ts";
import { rotateApiClient } from "./api-clients/rotate-api-client.ts";
import { accounts } from "./books/accounts.ts";
import { entries } from "./books/entries.ts";
import { closeMonth } from "./closing/close-month.ts";
import { reopenMonth } from "./closing/reopen-month.ts";
import { counterpartyLimits } from "./counterparties/counterparty-limits.ts";
import { putCounterpartyLimit } from "./counterparties/put-counterparty-limit.ts";
import { recordSettlement } from "./counterparties/record-settlement.ts";
import { creditHandlers } from "./credits/credit-handlers.ts";
import { entitySettings } from "./entity-settings/entity-settings.ts";
import { putEntitySettings } from "./entity-settings/put-entity-settings.ts";
import { createLedgerTransaction } from "./ledger/create-ledger-transaction.ts";
import { ledgerTransactionHistory } from "./ledger/ledger-transaction-history.ts";
import { createTransactionQr } from "./qr/create-transaction-qr.ts";
import { cancelTransactionQr, transactionQr } from "./qr/transaction-qr.ts";
import { getAccountingReport } from "./reports/get-accounting-report.ts";
import { getClientStatistics } from "./reports/get-client-statistics.ts";
import { getHarvestStatistics } from "./reports/get-harvest-statistics.ts";
import { getTransactionStatistics } from "./reports/get-transaction-statistics.ts";
import type { ApiCaller, ServiceContext } from "./shared/service-context.ts";
import { createPaymentTransaction } from "./transactions/create-payment-transaction.ts";
import { createRechargeTransaction } from "./transactions/create-recharge-transaction.ts";
import { createTransaction } from "./transactions/create-transaction.ts";
import { findTransactionByReference } from "./transactions/find-transaction-by-reference.ts";
import { receivedPayments, transactionHistory } from "./transactions/list-transactions.ts";
import { reverseTransaction } from "./transactions/reverse-transaction.ts";
import { settleTransaction } from "./transactions/settle-transaction.ts";
import { transaction } from "./transactions/transaction.ts";
import { transactionSummary } from "./transactions/transaction-summary.ts";
import { blockUser, unblockUser } from "./users/block-user.ts";
import { createUser } from "./users/create-user.ts";
import { updateUser } from "./users/update-user.ts";
import { user } from "./users/user.ts";
import { users } from "./users/users.ts";
import { voidIdempotencyKey } from "./void-idempotency-key.ts";
import { putWebhook } from "./webhooks/put-webhook.ts";
import { redeliverWebhook } from "./webhooks/redeliver-webhook.ts";
import { webhookDeliveries } from "./webhooks/webhook-deliveries.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** Builds the handler of every operation of the service's contract. */
export function serviceHandlers(service: ServiceContext): Handlers<ServiceContract, ApiCaller> {
  return {
    createTransaction: createTransaction(service),
    createPaymentTransaction: createPaymentTransaction(service),
    createRechargeTransaction: createRechargeTransaction(service),
    settleTransaction: settleTransaction(service),
    reverseTransaction: reverseTransaction(service),
    transaction: transaction(service),
    transactionHistory: transactionHistory(service),
    receivedPayments: receivedPayments(service),
    transactionSummary: transactionSummary(service),
    findTransactionByReference: findTransactionByReference(service),
    createTransactionQr: createTransactionQr(service),
    transactionQr: transactionQr(service),
    cancelTransactionQr: cancelTransactionQr(service),
    createLedgerTransaction: createLedgerTransaction(service),
    ledgerTransactionHistory: ledgerTransactionHistory(service),
    voidIdempotencyKey: voidIdempotencyKey(service),
    user: user(service),
    users: users(service),
    createUser: createUser(service),
    updateUser: updateUser(service),
    blockUser: blockUser(service),
    unblockUser: unblockUser(service),
    entitySettings: entitySettings(service),
    putEntitySettings: putEntitySettings(service),
    counterpartyLimits: counterpartyLimits(service),
    putCounterpartyLimit: putCounterpartyLimit(service),
    recordSettlement: recordSettlement(service),
    ...creditHandlers(service),
    getTransactionStatistics: getTransactionStatistics(service),
    getHarvestStatistics: getHarvestStatistics(service),
    getClientStatistics: getClientStatistics(service),
    getAccountingReport: getAccountingReport(service),
    closeMonth: closeMonth(service),
    reopenMonth: reopenMonth(service),
    reverseAccruals: reverseAccruals(service),
    accounts: accounts(service),
    entries: entries(service),
    apiClients: apiClients(service),
    createApiClient: createApiClient(service),
    rotateApiClient: rotateApiClient(service),
    disableApiClient: disableApiClient(service),
    putWebhook: putWebhook(service),
    webhooks: webhooks(service),
    webhookDeliveries: webhookDeliveries(service),
    redeliverWebhook: redeliverWebhook(service),
  };
}
