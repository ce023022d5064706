import type { Words } from "../../es/app/welcome.ts";

/** English of the welcome page. */
export const words: Words = {
  title: "Pay with your balance",
  lead: "Scan, check who you're paying and how much, and approve.",
  interrupted:
    "Your session ended while you were approving. Don't pay again: sign in and we'll tell you what happened.",
  demo: "Or try it as someone from the demo:",
  signIn: "Sign in with a passkey",
  invitedText: "First time here? Open the invitation link your provider gave you.",
  notKept: {
    title: "This browser didn't keep your session",
    text: "Allow cookies for this page and sign in again. No money moved.",
  },
  lost: {
    title: "I lost my phone",
    elsewhere: {
      title: "If you have Cupo on another device",
      text: "Open it there and, in Profile, freeze your account so nobody can pay with it or view it.",
    },
    synced: {
      title: "If your passkey is also on this device",
      text: "Apple or Google syncs it to your devices. Sign in and freeze your account, or end all other sessions.",
      enter: "Protect my account",
    },
    neither: {
      title: "If you have neither",
      text: "Call your provider now, the way you usually do, and ask them to freeze your account.",
    },
    after: "Money sent to you still arrives. Your provider invites your new phone afterwards.",
  },
  continueAs: (name) => `Continue as ${name} (demo)`,
  roles: { payer: "Pays with a balance", merchant: "Gets paid in a shop" },
  operator: { title: "You signed in as an operator", text: "The operator's pages will come in a later version." },
};
