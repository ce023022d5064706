import type { Words } from "../../es/app/receipts.ts";

/** English of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export const words: Words = {
  receipt: {
    name: "Receipt",
    note: "Note",
    kind: "Type",
    print: "Print",
    refund: "Refund",
    original: "See the payment",
    left: "Left",
    qrLabel: "QR code to verify this receipt",
    scan: "Anyone who scans it sees if the receipt is authentic and if the money was refunded.",
    copied: "Receipt copied",
    looking: "Looking for the receipt",
    proof: "Receipt code",
    state: {
      paid: "Paid",
      sent: "Sent",
      received: "Received",
      partly: "Partly refunded",
      reversed: "Refunded",
      rejected: "Not paid",
      pending: "Pending",
    },
    unknown: {
      title: "This receipt isn't in your account",
      text: "Look for it in your activity, or open the full link.",
    },
    text: ({ kind, amount, who, reference, code }) =>
      `${kind} of ${amount}. ${who}. Reference ${reference}. Check code ${code}.`,
  },
  verify: {
    name: "Verify a receipt",
    asking: "Verifying the receipt",
    payer: "From",
    payee: "To",
    compare: "It must match the code of the receipt you're shown.",
    open: "Go to Cupo",
    checked: "Verified",
    incomplete: "The receipt is missing from the link. Scan the QR code again, or open the full link.",
    genuine: {
      stands: { title: "Authentic receipt", text: "Cupo issued it and the money moved." },
      partly: {
        title: "Authentic, partly refunded",
        text: "Cupo issued this receipt, but part of the money was refunded.",
      },
      reversed: {
        title: "Authentic, but the money was refunded",
        text: "Cupo issued this receipt. Later, all of the money went back to the payer.",
      },
    },
    forged: {
      title: "This isn't a Cupo receipt",
      text: "Someone altered it, or it wasn't issued here. Don't accept it as payment.",
    },
  },
  summary: {
    name: "Summary",
    lead: "Who you've paid and how much, minus refunds. Transfers not included.",
    chart: "Largest payments",
    table: "All",
    payee: "Paid to",
    payments: "Payments",
    last: "Last",
    total: "Total",
    more: "Show more",
    empty: {
      title: "You haven't paid anyone yet",
      text: "After your first payment, you'll see who and how much here.",
    },
    payees: (count) => (count === 1 ? "1 person or merchant" : `${count} people and merchants`),
    largest: (count) => `The ${count} largest`,
  },
  statement: {
    title: "Monthly statement",
    lead: "All transactions of the month, with totals.",
    month: "Month",
    pdf: "PDF",
    csv: "CSV",
    preparing: "Preparing the statement",
    ready: "Statement downloaded",
    tooMany: "This month has too many transactions for a PDF. Download it as CSV.",
    failed: "The statement couldn't be prepared. Try again in a moment.",
  },
};
