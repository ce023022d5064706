import type { EntryWords } from "./entry-words.ts";

/** English of the entry pages. */
export const entry: EntryWords = {
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
