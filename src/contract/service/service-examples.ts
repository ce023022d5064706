import { exampleThings as a } from "../shared/example-things.ts";
import type { RowExample } from "../shared/operation.ts";
import type { ServiceContract } from "./service.ts";

const period = { "from-date": a.today, "to-date": a.today };

/**
 * Example requests by the name of their operation, each of which succeeds in a service that has the {@link a | example
 * things}. The example of any other operation is made from its schema. A test sends every example, and fails for one
 * that does not succeed.
 */
export const serviceExamples: Readonly<Partial<Record<keyof ServiceContract, RowExample>>> = Object.freeze({
  createTransaction: {
    body: {
      amount: 25_000,
      from_user_id: a.payer,
      from_user: "Ana Torres",
      to_user_id: a.payee,
      to_user: "Café Central",
      details: { order: "A-1027" },
    },
  },
  createPaymentTransaction: {
    body: {
      from_user_id: a.payer,
      payments: [
        { amount: 18_500, to_user_id: a.payee, details: { invoice: "F-311" } },
        { amount: 6_499.5, to_user_id: a.payee, details: { invoice: "F-312" } },
      ],
    },
  },
  createRechargeTransaction: {
    body: { amount: 10_000, from_user_id: a.payer, to_user_id: a.payee, details: { phone: "+573001234567" } },
  },
  settleTransaction: { body: { id: a.hold, status: "approved", amount: 21_500 } },
  reverseTransaction: { body: { id: a.payment, amount: 5_000, details: { reason: "one item returned" } } },
  transaction: { query: { id: a.payment } },
  transactionHistory: { query: { "user-id": a.payee, ...period, direction: "received", limit: "50" } },
  receivedPayments: { query: { "user-id": a.payee, ...period } },
  transactionSummary: { query: { "user-id": a.payer } },
  findTransactionByReference: { query: { reference: a.paymentReference } },
  createTransactionQr: {
    body: { amount: 25_000, to_user_id: a.payee, details: { order: "A-1028" }, expires_in: 600 },
  },
  transactionQr: { query: { reference: a.unpaidReference } },
  cancelTransactionQr: { body: { reference: a.unpaidReference } },
  createLedgerTransaction: {
    body: { from_user_id: a.payer, to_user_id: a.payee, amount: 40_000, details: { reason: "shared rent" } },
  },
  ledgerTransactionHistory: { query: { "user-id": a.payer } },
  voidIdempotencyKey: { body: { operation: "createTransaction", key: "order-A-1027" } },
  user: { query: { nit: a.payerNit } },
  users: { query: { q: "torres", status: "active", limit: "20" } },
  createUser: {
    body: {
      name: "Luis Rojas",
      nit: "901.234.567-8",
      phone: "300 123 4567",
      email: "luis@example.com",
      address: "Calle 12 # 34-56, Bogotá",
      business_name: "Panadería La Espiga",
      quota: 150_000,
      score: 700,
      payment_data: { bank: "example" },
    },
  },
  updateUser: { body: { id: a.payer, bussines_name: "Torres Textiles", score: 720, status: "active" } },
  blockUser: { body: { id: a.payer } },
  unblockUser: { body: { id: a.payer } },
  putEntitySettings: {
    body: { blocking_statuses: ["default"], payment_limit: 2_000_000, daily_limit: 5_000_000, lenders: [] },
  },
  putCounterpartyLimit: { params: { entity_id: a.counterparty }, body: { limit: "50000000" } },
  recordSettlement: { body: { debtor_id: a.counterparty, amount: "30000" } },
  addQuota: { body: { id: a.payer, amount: "500000", loan_type: "default", payment_date: a.dueDay } },
  previewAddQuota: { body: { id: a.payer, amount: "500000", loan_type: a.loanType, payment_date: a.dueDay } },
  previewDischargeQuota: { body: { nit: a.payerNit, amount: "120000.50" } },
  credits: { query: { "user-id": a.payer, status: "open" } },
  repayCredit: { body: { id: a.payer, credit_id: a.credit, amount: "30000", source: "cash" } },
  writeOffCredit: { body: { credit_id: a.credit } },
  cancelCredit: { body: { credit_id: a.credit } },
  importCredit: {
    body: {
      id: a.payee,
      loan_type: a.loanType,
      principal: "300000",
      outstanding: "180000",
      unpaid_interest: "1200.50",
      opened_on: a.earlierDay,
      due_date: a.dueDay,
    },
  },
  putLoanType: { params: { loan_type: "harvest-90" }, body: { annual_rate_bps: 2_400, after_due: "continue" } },
  closeMonth: { body: { month: a.monthBefore } },
  reopenMonth: { body: { month: "2999-12" } },
  reverseAccruals: { body: { from_day: a.today } },
  dischargeQuota: { body: { nit: a.payerNit, amount: "120000.50" } },
  getTransactionStatistics: { query: { uid: a.entity, ...period } },
  getHarvestStatistics: { query: { uid: a.entity, ...period } },
  getClientStatistics: { query: { uid: a.entity, ...period } },
  getAccountingReport: { query: { year: "2025", month: "12" } },
  entries: { query: { account: "credits_receivable", ...period } },
  accountStatement: { query: { "user-id": a.payer, "from-day": a.earlierDay, "to-day": a.today } },
  createApiClient: { body: { name: "Billing" } },
  rotateApiClient: { body: { client_id: a.apiClient } },
  putWebhook: {
    params: { name: "settlements" },
    body: { url: "https://shop.example/settlements", event_types: ["transaction.settled", "qr.paid"] },
  },
  webhookDeliveries: { query: { "endpoint-name": a.webhook } },
  redeliverWebhook: { body: { endpoint_name: a.webhook, event_id: a.event } },
  disableApiClient: { body: { client_id: a.apiClient } },
});
