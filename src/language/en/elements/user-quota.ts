import type { Words } from "../../es/elements/user-quota.ts";

/** English of `<user-quota>`. */
export const words: Words = {
  loading: "Loading your quota",
  available: "Available quota",
  quota: "Quota",
  held: "On hold",
  none: "You have no quota yet",
  score: "Score",
  ofMost: "of 1000",
  mask: "Hide the amounts",
  hidden: "hidden",
  status: { active: "In order", arrear: "Late", default: "In default" },
  movements: "Last movements",
  noMovements: "No movements yet",
  sent: "To",
  received: "From",
  kind: { payment: "Payment", batch: "Payment", recharge: "Top-up", qr: "QR payment", refund: "Refund" },
  outcome: { pending: "Pending", rejected: "Not paid", reversed: "Refunded" },
  today: "today",
  asOf: "Updated",
  refresh: "Update",
  offline: "No connection",
  refused: { title: "This merchant cannot see your quota", text: "Connect it from the merchant's page." },
  failed: { title: "We could not show your quota", text: "Your quota has not changed. Try again." },
  tryAgain: "Try again",
};
