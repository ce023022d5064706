import { ApiError } from "../../src/contract/errors.ts";
import type { Handlers } from "../../src/contract/handler.ts";
import type { ServiceContract } from "../../src/contract/service.ts";
import { createApiClient } from "./api-clients/create-api-client.ts";
import { disableApiClient } from "./api-clients/disable-api-client.ts";
import { apiClients } from "./api-clients/list-api-clients.ts";
import { rotateApiClient } from "./api-clients/rotate-api-client.ts";
import { createLedgerTransaction } from "./ledger/create-ledger-transaction.ts";
import { ledgerTransactionHistory } from "./ledger/ledger-transaction-history.ts";
import { createTransactionQr } from "./qr/create-transaction-qr.ts";
import { cancelTransactionQr, transactionQr } from "./qr/transaction-qr.ts";
import { addQuota } from "./quota/add-quota.ts";
import type { ApiCaller, ServiceContext } from "./service-context.ts";
import { createPaymentTransaction } from "./transactions/create-payment-transaction.ts";
import { createRechargeTransaction } from "./transactions/create-recharge-transaction.ts";
import { createTransaction } from "./transactions/create-transaction.ts";
import { findTransactionByReference } from "./transactions/find-transaction-by-reference.ts";
import { receivedPayments, transactionHistory } from "./transactions/list-transactions.ts";
import { transaction } from "./transactions/transaction.ts";
import { transactionSummary } from "./transactions/transaction-summary.ts";
import { createUser } from "./users/create-user.ts";
import { user } from "./users/user.ts";
import { putWebhook } from "./webhooks/put-webhook.ts";
import { redeliverWebhook } from "./webhooks/redeliver-webhook.ts";
import { webhookDeliveries } from "./webhooks/webhook-deliveries.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** An operation of the contract that a later version brings: an honest 501. */
async function comesLater(): Promise<never> {
  throw new ApiError("not_implemented");
}

/** The handler of every row of the service's contract. */
export function serviceHandlers(service: ServiceContext): Handlers<ServiceContract, ApiCaller> {
  return {
    createTransaction: createTransaction(service),
    createPaymentTransaction: createPaymentTransaction(service),
    createRechargeTransaction: createRechargeTransaction(service),
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
    user: user(service),
    createUser: createUser(service),
    updateUser: comesLater,
    addQuota: addQuota(service),
    dischargeQuota: comesLater,
    getTransactionStatistics: comesLater,
    getHarvestStatistics: comesLater,
    getClientStatistics: comesLater,
    getAccountingReport: comesLater,
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
