import type { Words } from "../../es/elements/user-quota.ts";

/** English of `<user-quota>`. */
export const words: Words = {
  loading: "Loading your balance",
  available: "Available balance",
  quota: "Balance",
  held: "On hold",
  none: "You have no balance yet",
  score: "Score",
  ofMost: "of 1000",
  mask: "Hide the amounts",
  hidden: "hidden",
  status: { active: "Up to date", arrear: "Overdue", default: "In default" },
  movements: "Recent transactions",
  noMovements: "No transactions yet",
  sent: "To",
  received: "From",
  kind: { payment: "Payment", batch: "Payment", recharge: "Top-up", qr: "QR payment", refund: "Refund" },
  outcome: { pending: "Pending", rejected: "Not paid", reversed: "Refunded" },
  asOf: "Updated",
  refresh: "Refresh",
  offline: "You're offline",
  refused: { title: "This merchant can't see your balance", text: "Connect it from the merchant's page." },
  failed: { title: "We couldn't show your balance", text: "Your balance didn't change. Try again." },
  tryAgain: "Try again",
};
