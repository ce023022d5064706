import { type BrokerContext, toNumber } from "../../access/broker-context.ts";
import type { GrantedOwn } from "../../access/policy/gate.ts";
import type { Sendable } from "../../upstream/payment-store.ts";
import { type PaymentOutcome, type RunningPayment, resolveOutcome } from "../../upstream/resolve-outcome.ts";
import type { ApprovalRow } from "./approval-store.ts";

/** The part of the service that carries out what was approved. */
type Service = GrantedOwn<"payment">;

type Receipt = Pick<
  Awaited<ReturnType<Service["createTransaction"]>>["body"],
  "id" | "reference" | "status" | "reason" | "exceeded_limit"
>;
type Transfer = Awaited<ReturnType<Service["ledgerTransactionHistory"]>>["body"][number];
/** A payment, transfer or refund as lists have it; its details carry the approval's id. */
interface Sent extends Receipt {
  readonly details: Readonly<Record<string, unknown>>;
}
type SentOf = RunningPayment<Sent>["sent"];

function outcomeOf({ id, reference, status, reason, exceeded_limit: exceededLimit }: Receipt): PaymentOutcome {
  const transaction = { transactionId: id, transactionReference: reference };
  if (status !== "rejected") return { state: "approved", ...transaction };
  const why = { ...(reason === undefined ? {} : { reason }), ...(exceededLimit && { exceededLimit }) };
  return { state: "rejected", ...transaction, ...why };
}

/** Transfers come newest first and cannot be bounded: reading stops at the first that is older than the period. */
function transfersOf(service: Service): SentOf {
  return async ({ "from-date": from, limit, cursor }) => {
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const { body, nextCursor } = await service.ledgerTransactionHistory(page);
    const isOlder = ({ created_at }: Transfer): boolean => Date.parse(created_at) < Date.parse(from);
    return { body, nextCursor: body.some(isOlder) ? undefined : nextCursor };
  };
}

/** The call that sends an operation, its name at the service, and the list that has it then. */
interface Dispatch {
  readonly send: () => Promise<Receipt | undefined>;
  readonly name: "createTransaction" | "createLedgerTransaction" | "reverseTransaction";
  readonly sent: SentOf;
}

/** The way of each operation. */
function waysOf(broker: BrokerContext, row: ApprovalRow, service: Service) {
  const amount = toNumber(broker, row.amount);
  const details = { approval: row.id, ...(row.note === null ? {} : { note: row.note }) };
  const payment = { amount, to_user_id: row.payee_id };
  const refundsOf: SentOf = (query) => service.transactionHistory({ ...query, kind: "refund" });
  return {
    pay: {
      send: async () =>
        (await service.createTransaction({ ...payment, details: { qr: row.payload, ...details } }, row.id)).body,
      name: "createTransaction",
      sent: service.transactionHistory,
    },
    transfer: {
      send: async () => (await service.createLedgerTransaction({ ...payment, details }, row.id)).body[0],
      name: "createLedgerTransaction",
      sent: transfersOf(service),
    },
    refund: {
      send: async () => (await service.reverseTransaction({ id: row.reverses ?? "", amount, details }, row.id)).body,
      name: "reverseTransaction",
      sent: refundsOf,
    },
  } satisfies Record<ApprovalRow["operation"], Dispatch>;
}

/**
 * Sends the approved payment, transfer or refund to the service, with the approval's id as idempotency key, or learns
 * its outcome; throws while that is unknown. It is not sent if the person was frozen before.
 */
export async function executeApproval(
  broker: BrokerContext,
  row: Sendable<ApprovalRow>,
  service: Service,
): Promise<PaymentOutcome> {
  const { send, name, sent } = waysOf(broker, row, service)[row.operation];
  const running: RunningPayment<Sent> = {
    startedAt: row.started_at ?? row.created_at,
    isSendingBlocked: row.is_blocked,
    send: async () => {
      const receipt = await send();
      if (receipt === undefined) throw new Error("the service answered a transfer with an empty list");
      return outcomeOf(receipt);
    },
    voidKey: async () => (await service.voidIdempotencyKey({ operation: name, key: row.id })).body.state,
    sent,
    isIt: ({ details }) => details.approval === row.id,
    outcomeOf,
  };
  return resolveOutcome(running, broker.clock());
}
