import type { Words } from "../../es/server/statement.ts";

/** English of statements. */
export const words: Words = {
  tag: "en-GB",
  title: "Monthly statement",
  received: "Received",
  sent: "Sent",
  difference: "Difference",
  columns: {
    day: "Day",
    time: "Time",
    counterparty: "With",
    kind: "Type",
    reference: "Reference",
    amount: "Amount",
    currency: "Currency",
    balance: "Balance after",
    note: "Note",
    id: "ID",
  },
  kind: {
    payment: "Payment",
    batch: "Payment",
    recharge: "Top-up",
    qr: "QR payment",
    refund: "Refund",
    transfer: "Transfer",
  },
  none: "No transactions this month.",
  asOf: (when) => `As of ${when}`,
  page: (number, count) => `Page ${number} of ${count}`,
  movements: (count) => (count === 1 ? "1 transaction" : `${count} transactions`),
};
