import type { Words } from "../../../es/app/start.ts";

/** English of the welcome page, of a passkey's request and of the locked app. */
export const signIn: Pick<Words, "welcome" | "passkey" | "lock"> = {
  welcome: {
    title: "Pay with your quota",
    lead: "Scan, see who and how much, approve.",
    interrupted:
      "Your session ended while you were approving. Do not pay again: sign in, and we will say what happened.",
    demo: "Or try it as somebody from the demo:",
    signIn: "Sign in with a passkey",
    asking: "Waiting for your passkey",
    invitedText: "First time here? Open the invitation link that your provider gave you.",
    notKept: {
      title: "This browser did not keep your session",
      text: "Allow cookies for this page and sign in again. Nothing was done.",
    },
    continueAs: (name) => `Continue as ${name} (demo)`,
    roles: { payer: "Pays with a quota", merchant: "Is paid in a shop" },
    operator: { title: "You signed in as an operator", text: "The operator's pages come with a later version." },
  },
  passkey: {
    cancelled: { title: "The passkey was not used", text: "Try again whenever you like." },
    unsupported: {
      title: "There are no passkeys here",
      text: "Use a phone or an up-to-date browser that locks with a fingerprint, a face or a PIN.",
    },
    already: { title: "This device has your passkey already", text: "You need no other: sign in with it." },
    insecure: {
      title: "A passkey cannot be used at this address",
      text: "Open Cupo over https, at the address that your provider gave you.",
    },
    refused: {
      title: "This passkey opens no account",
      text: "Try another. If you removed it or it is for another service, ask your provider for a new invitation.",
    },
    copied: {
      title: "There may be a copy of this passkey",
      text: "Nothing was done. Freeze your account from another device, or have your provider freeze it.",
    },
    frozen: {
      title: "Your account is frozen",
      text: "Nobody can pay with it or look at it. Money sent to you still arrives. Ask your provider to unfreeze it.",
    },
  },
  lock: {
    title: "Cupo is locked",
    text: "You are still signed in. Open it with your fingerprint, your face or your PIN.",
    demo: "Demo: this button opens it.",
    open: "Unlock",
  },
};
