import type { KeptWords } from "./kept-words.ts";

/** English of the texts about data kept on the device. */
export const kept: KeptWords = {
  kept: {
    older: "Fetching earlier movements",
    search: "Search",
    searchHint: "Name or amount",
    filters: "Filters",
    kind: "Kind",
    anyKind: "All",
    month: "Month",
    anyMonth: "All",
    clear: "Clear filters",
    partlyRefunded: "Partly refunded",
    transfer: "Transfer",
    summary: "Summary",
    profile: "Profile",
    shortcuts: "Shortcuts",
    understood: "Got it",
    review: "Review",
    noMatch: { title: "Nothing matches", text: "Try another word or clear the filters." },
    staleSince: (when) => `Not updated since ${when}`,
    found: (count) => (count === 1 ? "1 movement" : `${count} movements`),
    trouble: {
      full: "This device is full: without a connection you will not see your movements. Free some space.",
      broken: "This browser keeps no data: without a connection you will not see your movements.",
    },
    firstRun: {
      title: "Make your first payment",
      scan: "Scan the QR code of whoever you pay.",
      look: "See whom and how much.",
      approve: "Approve. The receipt stays here.",
      start: "Scan a code",
    },
    newDevices: "There is a new device on your account. If it is not yours, remove it.",
    selling: "A merchant is to sell top-ups with your quota. You decide.",
    mayPayFrom: (when) => `This device may pay from ${when}.`,
    sent: {
      unknown: (amount, payee) => `We do not know yet whether ${payee} was paid ${amount}. Do not pay again.`,
      see: "See what happened",
    },
    drafts: {
      title: "To be confirmed",
      openAmount: "Open amount",
      expired: "The code has expired",
      saved: "It is kept on Home, for you to confirm with a connection.",
      until: (when) => `Expires ${when}`,
      confirm: (payee) => `Confirm the payment to ${payee}`,
      drop: (payee) => `Remove the payment to ${payee}`,
    },
  },
};
