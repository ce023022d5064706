import { duration } from "../../duration.ts";
import type { Words } from "../../es/elements/pay-qr.ts";

/** English of `<pay-qr>`. */
export const words: Words = {
  payTo: "You pay",
  loading: "Getting your code ready",
  qrName: (payee, amount) => `QR code to pay ${amount} to ${payee}`,
  ready: (payee, amount) => `Your code is ready: you'll pay ${amount} to ${payee}`,
  openAmount: "You enter the amount",
  checkCode: "Check code",
  checkCodeHint: "It must match your app",
  expiresIn: "Expires in",
  timeLeft: (seconds) => `You have ${duration(seconds, "minute", "second", "and")} left to pay.`,
  openApp: "Pay in the app",
  showCode: "Show the code",
  copy: "Copy code",
  copied: "Code copied",
  copyByHand: "Select the code and copy it",
  rejected: "An attempt was rejected and nothing was charged. The code still works.",
  pending: { title: "Payment in progress", text: "It isn't confirmed yet. Don't pay again." },
  offline: "You're offline.",
  stillPayable: "The code still works; the payment will show later.",
  online: "You're back online.",
  checkAgain: "Check again",
  checking: "Time is up. We're checking if you paid in time.",
  paid: "Paid",
  paidTo: (payee, amount) => `You paid ${amount} to ${payee}`,
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
  failedEarly: { title: "We couldn't show the code", text: "Try again." },
  failedLate: {
    title: "We don't know what happened to the payment",
    text: "Check your app before you pay again.",
  },
  tryAgain: "Try again",
};
