import type { ServiceContract } from "../../src/contract/service/service.ts";
import type { Handlers } from "../../src/contract/shared/handler.ts";
import { reverseAccruals } from "./accrual/reverse-accruals.ts";
import { createApiClient } from "./api-clients/create-api-client.ts";
import { disableApiClient } from "./api-clients/disable-api-client.ts";
import { rotateApiClient } from "./api-clients/rotate-api-client.ts";
import { closeMonth } from "./closing/close-month.ts";
import { reopenMonth } from "./closing/reopen-month.ts";
import { putCounterpartyLimit } from "./counterparties/put-counterparty-limit.ts";
import { recordSettlement } from "./counterparties/record-settlement.ts";
import { cancelCredit } from "./credits/cancel-credit.ts";
import { importCredit } from "./credits/import-credit.ts";
import { repayCredit } from "./credits/repay-credit.ts";
import { writeOffCredit } from "./credits/write-off-credit.ts";
import { putEntitySettings } from "./entity-settings/put-entity-settings.ts";
import { createLedgerTransaction } from "./ledger/create-ledger-transaction.ts";
import { putLoanType } from "./loan-types/put-loan-type.ts";
import { createTransactionQr } from "./qr/create-transaction-qr.ts";
import { cancelTransactionQr } from "./qr/transaction-qr.ts";
import { addQuota } from "./quota/add-quota.ts";
import { dischargeQuota } from "./quota/discharge-quota.ts";
import { previewAddQuota } from "./quota/preview-add-quota.ts";
import { previewDischargeQuota } from "./quota/preview-discharge-quota.ts";
import { readHandlers } from "./read-handlers.ts";
import type { ApiCaller, ServiceContext } from "./shared/service-context.ts";
import { createPaymentTransaction } from "./transactions/create-payment-transaction.ts";
import { createRechargeTransaction } from "./transactions/create-recharge-transaction.ts";
import { createTransaction } from "./transactions/create-transaction.ts";
import { reverseTransaction } from "./transactions/reverse-transaction.ts";
import { settleTransaction } from "./transactions/settle-transaction.ts";
import { blockUser, unblockUser } from "./users/block-user.ts";
import { createUser } from "./users/create-user.ts";
import { updateUser } from "./users/update-user.ts";
import { voidIdempotencyKey } from "./void-idempotency-key.ts";
import { putWebhook } from "./webhooks/put-webhook.ts";
import { redeliverWebhook } from "./webhooks/redeliver-webhook.ts";

/** Builds the handler of every operation of the service's contract. */
export function serviceHandlers(service: ServiceContext): Handlers<ServiceContract, ApiCaller> {
  return {
    ...readHandlers(service),
    createTransaction: createTransaction(service),
    createPaymentTransaction: createPaymentTransaction(service),
    createRechargeTransaction: createRechargeTransaction(service),
    settleTransaction: settleTransaction(service),
    reverseTransaction: reverseTransaction(service),
    createTransactionQr: createTransactionQr(service),
    cancelTransactionQr: cancelTransactionQr(service),
    createLedgerTransaction: createLedgerTransaction(service),
    voidIdempotencyKey: voidIdempotencyKey(service),
    createUser: createUser(service),
    updateUser: updateUser(service),
    blockUser: blockUser(service),
    unblockUser: unblockUser(service),
    putEntitySettings: putEntitySettings(service),
    putCounterpartyLimit: putCounterpartyLimit(service),
    recordSettlement: recordSettlement(service),
    closeMonth: closeMonth(service),
    reopenMonth: reopenMonth(service),
    reverseAccruals: reverseAccruals(service),
    createApiClient: createApiClient(service),
    rotateApiClient: rotateApiClient(service),
    disableApiClient: disableApiClient(service),
    putWebhook: putWebhook(service),
    redeliverWebhook: redeliverWebhook(service),
    addQuota: addQuota(service),
    dischargeQuota: dischargeQuota(service),
    previewAddQuota: previewAddQuota(service),
    previewDischargeQuota: previewDischargeQuota(service),
    repayCredit: repayCredit(service),
    writeOffCredit: writeOffCredit(service),
    cancelCredit: cancelCredit(service),
    importCredit: importCredit(service),
    putLoanType: putLoanType(service),
  };
}
