import type { Words } from "../../../es/app/start.ts";

/** English of all that keeps a payment from being made. */
export const problems: Pick<Words, "failures" | "typing" | "looking" | "foreignScheme"> = {
  failures: {
    qr_already_paid: {
      title: "This code has already been paid",
      text: "Your balance didn't change. If you still need to pay, ask for another code.",
    },
    qr_expired: { title: "This code has expired", text: "Your balance didn't change. Ask for another code." },
    qr_cancelled: { title: "This code was cancelled", text: "Your balance didn't change. Ask for another code." },
    qr_pending: { title: "This code is being paid", text: "Your balance didn't change. Wait a moment." },
    qr_not_found: {
      title: "We can't find this code",
      text: "Your balance didn't change. Check the reference or ask for another code.",
    },
    qr_not_authentic: {
      title: "This code isn't authentic",
      text: "It was altered or not issued by this service. Your balance didn't change. Don't pay it: ask for another.",
    },
    qr_other_payer: { title: "This code is for someone else", text: "Your balance didn't change. Ask for your own." },
    qr_mismatch: { title: "The charge changed", text: "Your balance didn't change. Scan the code again." },
    own_code: { title: "This code is yours", text: "Show it to whoever will pay you." },
    foreign_code: { title: "This code is from another system", text: "Cupo can't pay it. Ask for a Cupo code." },
    damaged_code: {
      title: "The code is damaged",
      text: "Scan it again, closer or with more light, or ask for another.",
    },
    not_a_code: { title: "This isn't a payment code", text: "Scan the QR code the payee shows you." },
    mistyped_reference: { title: "The reference has an error", text: "Check all 13 letters and numbers." },
    unknown_service: {
      title: "This code is from another Cupo service",
      text: "It can't be paid here. Ask for a code from this service.",
    },
    insufficient_balance: {
      title: "Your balance is too low",
      text: "Nothing was paid and your balance didn't change. Ask for another code with a smaller amount.",
    },
    balance_limit: {
      title: "The payee can't receive that much",
      text: "Nothing was paid and your balance didn't change. Ask for another code with a smaller amount.",
    },
    limit_exceeded: {
      title: "The payment is over your limit",
      text: "Nothing was paid and your balance didn't change. Ask for a smaller amount or talk to your provider.",
    },
    payer_blocked: {
      title: "Your balance is blocked",
      text: "Nothing was paid and your balance didn't change. Talk to your provider.",
    },
    counterparty_limit: {
      title: "Your provider can't make this payment now",
      text: "Nothing was paid and your balance didn't change. Talk to your provider.",
    },
    not_allowed: { title: "This payment isn't allowed", text: "Your balance didn't change. Talk to your provider." },
    approval_expired: {
      title: "The time to approve ran out",
      text: "Nothing was paid and your balance didn't change.",
    },
    approval_mismatch: {
      title: "The charge changed",
      text: "Nothing was paid and your balance didn't change. Scan the code again.",
    },
    payment_failed: {
      title: "The payment didn't go through",
      text: "Your balance didn't change. Try again or ask for another code.",
    },
    outcome_unknown: {
      title: "We don't know yet if it was paid",
      text: "Don't pay again. Check again, or look at your activity in a few minutes.",
    },
    no_connection: {
      title: "You're offline",
      text: "Your balance didn't change. Check your connection and try again.",
    },
    too_many_requests: { title: "Too many attempts in a row", text: "Wait a moment and try again." },
    service_unavailable: {
      title: "The service isn't responding",
      text: "Your balance didn't change. Try again in a moment.",
    },
    something_wrong: { title: "Something went wrong", text: "Try again in a moment." },
  },
  typing: {
    insufficient_balance: "Nothing was paid and your balance didn't change. Try a smaller amount.",
    balance_limit: "Nothing was paid and your balance didn't change. Try a smaller amount.",
    limit_exceeded: "Nothing was paid and your balance didn't change. Try a smaller amount or talk to your provider.",
  },
  looking: {
    no_connection: "Check your connection and try again.",
    service_unavailable: "Try again in a moment.",
  },
  foreignScheme: (scheme) => ({
    title: `This is a ${scheme} code`,
    text: "It's valid, but Cupo can't pay it. Ask for a Cupo code.",
  }),
};
