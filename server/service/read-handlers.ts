import type { ServiceContract } from "../../src/contract/service/service.ts";
import type { Handlers } from "../../src/contract/shared/handler.ts";
import { apiClients } from "./api-clients/list-api-clients.ts";
import { accountStatement } from "./books/account-statement.ts";
import { accounts } from "./books/accounts.ts";
import { entries } from "./books/entries.ts";
import { counterpartyLimits } from "./counterparties/counterparty-limits.ts";
import { credits } from "./credits/credits.ts";
import { entitySettings } from "./entity-settings/entity-settings.ts";
import { ledgerTransactionHistory } from "./ledger/ledger-transaction-history.ts";
import { loanTypes } from "./loan-types/loan-types.ts";
import { transactionQr } from "./qr/transaction-qr.ts";
import { getAccountingReport } from "./reports/get-accounting-report.ts";
import { getClientStatistics } from "./reports/get-client-statistics.ts";
import { getHarvestStatistics } from "./reports/get-harvest-statistics.ts";
import { getTransactionStatistics } from "./reports/get-transaction-statistics.ts";
import type { ApiCaller, ReadContext } from "./shared/service-context.ts";
import { findTransactionByReference } from "./transactions/find-transaction-by-reference.ts";
import { receivedPayments, transactionHistory } from "./transactions/list-transactions.ts";
import { transaction } from "./transactions/transaction.ts";
import { transactionSummary } from "./transactions/transaction-summary.ts";
import { user } from "./users/user.ts";
import { users } from "./users/users.ts";
import { webhookDeliveries } from "./webhooks/webhook-deliveries.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** Builds the handlers of the operations that only read the database: a thread that has no writer serves them too. */
export function readHandlers(service: ReadContext) {
  return {
    transaction: transaction(service),
    transactionHistory: transactionHistory(service),
    receivedPayments: receivedPayments(service),
    transactionSummary: transactionSummary(service),
    findTransactionByReference: findTransactionByReference(service),
    transactionQr: transactionQr(service),
    ledgerTransactionHistory: ledgerTransactionHistory(service),
    user: user(service),
    users: users(service),
    entitySettings: entitySettings(service),
    counterpartyLimits: counterpartyLimits(service),
    getTransactionStatistics: getTransactionStatistics(service),
    getHarvestStatistics: getHarvestStatistics(service),
    getClientStatistics: getClientStatistics(service),
    getAccountingReport: getAccountingReport(service),
    accounts: accounts(service),
    entries: entries(service),
    accountStatement: accountStatement(service),
    apiClients: apiClients(service),
    webhooks: webhooks(service),
    webhookDeliveries: webhookDeliveries(service),
    credits: credits(service),
    loanTypes: loanTypes(service),
  } satisfies Partial<Handlers<ServiceContract, ApiCaller>>;
}
