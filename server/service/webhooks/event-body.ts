import type { BusinessTime } from "../../../src/business-time.ts";
import type {
  EventCounterpartyLimit,
  EventCredit,
  EventData,
  EventRepayment,
  EventUser,
} from "../../../src/contract/service/event-data.ts";
import type { TransactionQr } from "../../../src/contract/service/qr.ts";
import type { EventType } from "../../../src/contract/service/webhooks.ts";
import { formatAmount } from "../../../src/money.ts";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { RegisteredUser } from "../../ledger/model/command.ts";
import type { CreditRecord, RepaymentRecord } from "../../ledger/model/credit-commands.ts";
import type { DomainEvent, LedgerEvent } from "../../ledger/model/events.ts";
import { type Exposure, exposureOf } from "../../ledger/model/exposure.ts";
import type { QrRecord } from "../../ledger/model/qr-commands.ts";
import type { WholeUser } from "../../ledger/model/user-commands.ts";
import type { EventBody } from "../../ledger/storage/save-events.ts";
import { settlementAnswer } from "../counterparties/record-settlement.ts";
import { creditAnswer } from "../credits/credit-answer.ts";
import { transferAnswer } from "../ledger/transfer-answer.ts";
import { type Currency, toNumber } from "../shared/service-context.ts";
import { qrAnswer } from "../transactions/find-qr.ts";
import { transactionAnswer } from "../transactions/transaction-answer.ts";

/** The inputs of an event's body besides its content: the receiving entity, the time, and the currency. */
interface EventContext {
  readonly viewerId: string;
  readonly at: Date;
  /** Business day of `at`. */
  readonly day: string;
  readonly currency: Currency;
  readonly time: BusinessTime;
}

const QR_STATES = Object.freeze({ "qr.paid": "paid", "qr.cancelled": "cancelled", "qr.expired": "expired" } as const);

function qrData(type: keyof typeof QR_STATES, qr: QrRecord, { currency, at }: EventContext): TransactionQr {
  return qrAnswer({ ...qr, state: QR_STATES[type] }, { currency, clock: () => at });
}

/** As GET /credits has it, but for the user's name, which the ledger does not look up. */
function creditData(credit: CreditRecord, { currency, day }: EventContext): EventCredit {
  const { user: _, ...data } = creditAnswer(credit, { userName: "", day, currency });
  return data;
}

function repaymentData(repayment: RepaymentRecord, context: EventContext): EventRepayment {
  const { currency } = context;
  return {
    reference: repayment.reference,
    user_id: repayment.userId,
    user: repayment.userName,
    amount: toNumber(currency, repayment.amount),
    repaid_interest: toNumber(currency, repayment.repaidInterest),
    repaid_principal: toNumber(currency, repayment.repaidPrincipal),
    recovered: toNumber(currency, repayment.recovered),
    paid_out: toNumber(currency, repayment.paidOut),
    credits: repayment.credits.map((credit) => creditData(credit, context)),
  };
}

/** As get-user has it, but for balance and history: sent to the user's creator alone. */
function userData(user: RegisteredUser | WholeUser): EventUser {
  return {
    id: user.id,
    name: user.name,
    business_name: user.businessName,
    bussines_name: user.businessName,
    nit: user.nit,
    phone: user.phone,
    email: user.email,
    address: user.address,
    image: user.image,
    score: user.score,
    status: user.status as EventUser["status"],
    payment_data: parseExactJson(user.paymentData) as EventUser["payment_data"],
    ...("blockedAt" in user && user.blockedAt !== null ? { blocked: true } : {}),
  };
}

function limitData(exposure: Exposure, { digits }: Currency): EventCounterpartyLimit {
  const total = exposureOf(exposure);
  return {
    creditor_id: exposure.creditorId,
    debtor_id: exposure.debtorId,
    limit: formatAmount(exposure.limit, digits),
    exposure: formatAmount(total, digits),
    available: formatAmount(exposure.limit - total, digits),
  };
}

function dataOf(event: DomainEvent, context: EventContext): EventData<EventType> {
  const { viewerId, currency } = context;
  if ("transaction" in event) return transactionAnswer(event.transaction, viewerId, context);
  if ("qr" in event) return qrData(event.type, event.qr, context);
  if ("transfer" in event) return transferAnswer(event.transfer, viewerId, context);
  if ("repayment" in event) return repaymentData(event.repayment, context);
  if ("credit" in event) return creditData(event.credit, context);
  if ("user" in event) return userData(event.user);
  if ("exposure" in event) return limitData(event.exposure, currency);
  if ("settlement" in event) return settlementAnswer(event.settlement, currency);
  const { reference, userId, userName, amount } = event.assignment;
  return { reference, user_id: userId, user: userName, amount: toNumber(currency, amount) };
}

/** Builds the writer of event bodies: `{type, timestamp, data}`, with the data that the API would then answer. */
export function eventBody(currency: Currency, time: BusinessTime): EventBody {
  return ({ entityId, event, createdAt: at }: LedgerEvent) => {
    const type: EventType = event.type;
    const data = dataOf(event, { viewerId: entityId, at, day: time.dayOf(at), currency, time });
    return JSON.stringify({ type, timestamp: at.toISOString(), data });
  };
}
