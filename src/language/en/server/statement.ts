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
    counterparty: "With whom",
    kind: "What",
    reference: "Reference",
    amount: "Amount",
    currency: "Currency",
    balance: "Quota after",
    note: "Note",
    id: "Id",
  },
  kind: {
    payment: "Payment",
    batch: "Payment",
    recharge: "Top-up",
    qr: "QR payment",
    refund: "Refund",
    transfer: "Transfer",
  },
  none: "Nothing moved this month.",
  asOf: (when) => `As of ${when}`,
  page: (number, count) => `Page ${number} of ${count}`,
  movements: (count) => (count === 1 ? "1 movement" : `${count} movements`),
};
