import type { Words } from "../../../es/app/start.ts";

/** English of all that keeps a payment from being made. */
export const problems: Pick<Words, "failures" | "typing" | "looking" | "foreignScheme"> = {
  failures: {
    qr_already_paid: {
      title: "This code is already paid",
      text: "Your quota did not change. If a payment is missing, ask for another code.",
    },
    qr_expired: { title: "This code has expired", text: "Your quota did not change. Ask for another code." },
    qr_cancelled: { title: "This code was cancelled", text: "Your quota did not change. Ask for another code." },
    qr_pending: { title: "This code is being paid", text: "Your quota did not change. Wait a moment." },
    qr_not_found: {
      title: "We do not know this code",
      text: "Your quota did not change. Check the reference or ask for another code.",
    },
    qr_not_authentic: {
      title: "This code is not authentic",
      text: "It was altered or not issued by this service. Your quota did not change. Do not pay it: ask for another.",
    },
    qr_other_payer: { title: "This code is for someone else", text: "Your quota did not change. Ask for one for you." },
    qr_mismatch: { title: "The charge changed", text: "Your quota did not change. Scan the code again." },
    own_code: { title: "This code is yours", text: "Show it to whoever will pay you." },
    foreign_code: { title: "It is a code of another system", text: "Cupo cannot pay it. Ask for a Cupo code." },
    damaged_code: {
      title: "The code is damaged",
      text: "Scan it again, closer or with more light, or ask for another.",
    },
    not_a_code: { title: "It is not a payment code", text: "Scan the QR code that the payee shows you." },
    mistyped_reference: { title: "The reference has an error", text: "Check its 13 letters and numbers." },
    unknown_service: {
      title: "It is a code of another Cupo service",
      text: "It cannot be paid here. Ask for a code of this one.",
    },
    insufficient_balance: {
      title: "Your quota is not enough",
      text: "Nothing was paid and your quota did not change. Ask for another code with a smaller amount.",
    },
    balance_limit: {
      title: "The payee cannot receive that much",
      text: "Nothing was paid and your quota did not change. Ask for another code with a smaller amount.",
    },
    limit_exceeded: {
      title: "The payment is over your limit",
      text: "Nothing was paid and your quota did not change. Ask for a smaller amount or talk to your provider.",
    },
    payer_blocked: {
      title: "Your quota is not active",
      text: "Nothing was paid and your quota did not change. Your provider can tell you how to settle it.",
    },
    counterparty_limit: {
      title: "Your provider cannot make this payment now",
      text: "Nothing was paid and your quota did not change. Talk to your provider.",
    },
    not_allowed: { title: "This payment is not allowed", text: "Your quota did not change. Talk to your provider." },
    approval_expired: { title: "The time to approve is over", text: "Nothing was paid and your quota did not change." },
    approval_mismatch: {
      title: "The charge changed",
      text: "Nothing was paid and your quota did not change. Scan the code again.",
    },
    payment_failed: {
      title: "The payment did not go through",
      text: "Your quota did not change. Try again or ask for another code.",
    },
    outcome_unknown: {
      title: "We do not know yet whether it was paid",
      text: "Do not pay again. Ask once more or look at your history in a few minutes.",
    },
    no_connection: { title: "Offline", text: "This needs a connection. Your quota did not change." },
    too_many_requests: { title: "Too many attempts in a row", text: "Wait a moment and try again." },
    service_unavailable: {
      title: "The service does not answer",
      text: "Your quota did not change. Try again in a moment.",
    },
    something_wrong: { title: "Something went wrong", text: "Try again in a moment." },
  },
  typing: {
    insufficient_balance: "Nothing was paid and your quota did not change. Try a smaller amount.",
    balance_limit: "Nothing was paid and your quota did not change. Try a smaller amount.",
    limit_exceeded: "Nothing was paid and your quota did not change. Try a smaller amount or talk to your provider.",
  },
  looking: {
    no_connection: "Check your connection and try again.",
    service_unavailable: "Try again in a moment.",
  },
  foreignScheme: (scheme) => ({
    title: `It is a ${scheme} code`,
    text: "It is sound, but Cupo cannot pay it. Ask for a Cupo code.",
  }),
};
