import type { Words } from "../../es/app/approval.ts";

const unchanged = "Your balance didn't change.";

/** English of the pages that approve, beyond what Confirm needs at once. */
export const words: Words = {
  transfer: {
    title: "Transfer",
    payTo: "You're transferring to",
    paying: "Transferring",
    lead: "Transfer part of your balance to someone else on Cupo.",
    by: "Find by",
    phone: "Mobile number",
    nit: "NIT or ID number",
    phoneHint: "With the country code if it's from abroad, such as +593 99 123 4567.",
    numberMissing: "Enter the whole number.",
    recents: "Transfer again",
    find: "Find",
    finding: "Searching",
    compareName: "Make sure the name is the person's before you continue.",
    askAmount: "How much are you transferring?",
    wholeAmount: "Enter a whole amount, without cents.",
    note: "Note (optional)",
    noteSent: "Note",
    noteHint: "You both see it.",
    other: "Find someone else",
    nobody: { title: "Nobody on Cupo has this number", text: "Check it, digit by digit." },
    pay: (amount) => `Transfer ${amount}`,
    firstTime: (payee) => `This is your first transfer to ${payee}: make sure it's who you expect.`,
    paidTo: "You transferred to",
    receipt: (amount, payee, reference) => `Transfer of ${amount} to ${payee}, reference ${reference}.`,
    failures: {
      not_allowed: { title: "You can't transfer to yourself", text: `${unchanged} Find someone else.` },
      insufficient_balance: {
        title: "Your balance is too low",
        text: `Nothing was transferred. ${unchanged} Try a smaller amount.`,
      },
      balance_limit: {
        title: "This person can't receive that much",
        text: `Nothing was transferred. ${unchanged} Try a smaller amount.`,
      },
      payer_blocked: {
        title: "Your balance is blocked",
        text: `Nothing was transferred. ${unchanged} Talk to your provider.`,
      },
      approval_expired: {
        title: "The time to approve ran out",
        text: `Nothing was transferred. ${unchanged} Try again.`,
      },
      approval_mismatch: { title: "The transfer changed", text: `Nothing was transferred. ${unchanged} Start again.` },
      payment_failed: { title: "The transfer couldn't be made", text: `${unchanged} Try again in a moment.` },
      outcome_unknown: {
        title: "We don't know yet if the transfer went through",
        text: "Don't repeat it. Check again, or look at your activity in a few minutes.",
      },
    },
  },
  refund: {
    title: "Refund",
    payTo: "You refund",
    paying: "Refunding",
    reading: "Looking up the payment",
    askAmount: "How much are you refunding?",
    tooMuch: "Enter no more than what's left.",
    received: "You received",
    left: (amount) => `You can refund up to ${amount}.`,
    pay: (amount) => `Refund ${amount}`,
    firstTime: () => "",
    paidTo: "You refunded",
    receipt: (amount, payee, reference) => `Refund of ${amount} to ${payee}, reference ${reference}.`,
    failures: {
      not_allowed: { title: "This refund isn't allowed", text: `${unchanged} Talk to your provider.` },
      insufficient_balance: {
        title: "Your balance is too low to refund",
        text: `Nothing was refunded. ${unchanged} Try a smaller amount.`,
      },
      balance_limit: {
        title: "The payer can't receive that much",
        text: `Nothing was refunded. ${unchanged} Try a smaller amount.`,
      },
      approval_expired: {
        title: "The time to approve ran out",
        text: `Nothing was refunded. ${unchanged} Try again.`,
      },
      approval_mismatch: { title: "The refund changed", text: `Nothing was refunded. ${unchanged} Start again.` },
      payment_failed: { title: "The refund couldn't be made", text: `${unchanged} Try again in a moment.` },
      outcome_unknown: {
        title: "We don't know yet if it was refunded",
        text: "Don't repeat it. Check again, or look at your activity in a few minutes.",
      },
    },
  },
  failures: {
    over_limit: { title: "The amount is over your limit", text: `Nothing was moved. ${unchanged}` },
    device_too_new: {
      title: "This device can't pay yet",
      text: `${unchanged} Approve on a device you already had, or wait.`,
    },
    look_up_expired: { title: "More than five minutes have passed", text: `${unchanged} Find the person again.` },
    not_received: {
      title: "We can't find this payment",
      text: `You can only refund payments you received. ${unchanged}`,
    },
    not_reversible: {
      title: "This payment can no longer be refunded",
      text: `It was fully refunded, or it never arrived. ${unchanged}`,
    },
    refund_too_large: { title: "There's less left to refund", text: `Nothing was refunded. ${unchanged} Start again.` },
  },
  fault: {
    not_sent: "Your approval didn't arrive and nothing was moved: approve again.",
    cancelled: "Your passkey wasn't used. Nothing was moved: you can approve again.",
    unsupported: "You can't use a passkey here. Nothing was moved: approve on your phone or another device.",
    already: "Your passkey wasn't used. Nothing was moved: you can approve again.",
    insecure: "You can't use a passkey at this address. Nothing was moved: open Cupo over https.",
    refused: "That passkey can't approve this. No money was moved. Try another of your passkeys.",
    copied:
      "There may be a copy of that passkey. Your balance didn't change. Freeze your account and tell your provider.",
  },
  demo: "Demo: you approve with this button.",
  proving: "Waiting for your passkey",
  provingText: "Approve with your fingerprint, face or PIN.",
  mayPayFrom: (when) => `This device is new. You can approve payments on it from ${when}.`,
  overLimit: {
    payment_limit: (left) => `Your provider allows up to ${left} per payment.`,
    daily_limit: (left) => `Today your provider allows up to ${left} more.`,
    transfer_limit: (left) => `Your provider allows up to ${left} per transfer.`,
    personal_payment_limit: (left) => `Your limit per payment is ${left}.`,
    personal_daily_limit: (left) => `You have ${left} left of today's limit.`,
    first_payee_limit: (left) => `For now you can pay someone new up to ${left}.`,
    new_device_limit: (left) => `This device is new: for now you can pay up to ${left}.`,
  },
  moreFrom: (when) => `You'll have more from ${when}.`,
  after: (amount) => `You'll have ${amount} left`,
  short: (missing) => `Your balance is too low: you need ${missing} more.`,
  getMore: "Buy a top-up from a merchant, ask your provider for more, or have someone pay you with your code.",
  receive: "Show my code to receive",
  // The merchant whose code is paid, below the name of the user who gets the money.
  atMerchant: (name: string) => `at ${name}`,
  backToShop: (name: string) => `Back to the shop: ${name}`,
  yourLimits: "See my limits",
  savedOnHome:
    "We saved it on Home, on this device only: confirm it when you're online. " +
    "It's lost if the browser clears Cupo's data.",
  online: "You're back online. Check the payment and approve it when you're ready.",
  paidByYou: { title: "You've already paid this code", text: "You don't need to pay it again." },
  paidByWhom: "Check your activity to see if it was you.",
  paidByOther: "Someone else paid it. Your balance didn't change. If you still need to pay, ask for another code.",
  balance: "Balance left",
  seeReceipt: "See the receipt",
};
