import { duration } from "../../duration.ts";
import type { Words } from "../../es/elements/pay-qr.ts";

/** English of `<pay-qr>`. */
export const words: Words = {
  payTo: "You pay",
  loading: "Getting your code ready",
  qrName: (payee, amount) => `QR code to pay ${amount} to ${payee}`,
  ready: (payee, amount) => `Your code is ready: you pay ${amount} to ${payee}.`,
  openAmount: "You type the amount",
  checkCode: "Check code",
  checkCodeHint: "It must be the same in your app",
  expiresIn: "Expires in",
  timeLeft: (seconds) => `You have ${duration(seconds, "minute", "second", "and")} left to pay.`,
  openApp: "Pay in the app",
  copy: "Copy code",
  copied: "Code copied",
  copyByHand: "Select the code and copy it",
  rejected: "An attempt was rejected and nothing was charged. The code still works.",
  pending: { title: "Payment under way", text: "It is still to be confirmed. Do not pay again." },
  offline: "No connection.",
  stillPayable: "The code still works; the payment will show later.",
  online: "The connection is back.",
  checkNow: "Check now",
  checking: "Time is up. We are checking whether you paid in time.",
  paid: "Paid",
  paidTo: (payee, amount) => `You paid ${amount} to ${payee}.`,
  today: "today",
  expired: { title: "The code has expired", text: "Nothing was charged. Get a new code to pay." },
  expiredUnconfirmed: {
    title: "The code has expired",
    text: "If you paid in time, your app shows it. If not, get a new code.",
  },
  newCode: "Get a new code",
  cancelled: {
    title: "The payment was cancelled",
    text: "Nothing was charged. If you still want to pay, get a new code.",
  },
  failedEarly: { title: "We could not show the code", text: "Try again." },
  failedLate: {
    title: "We do not know what became of the payment",
    text: "Look at the movements in your app before you pay again.",
  },
  tryAgain: "Try again",
};
