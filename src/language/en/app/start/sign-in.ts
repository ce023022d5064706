import type { Words } from "../../../es/app/start.ts";

/** English of a passkey's request and of the locked app. */
export const signIn: Pick<Words, "passkey" | "lock"> = {
  passkey: {
    cancelled: { title: "Your passkey wasn't used", text: "Try again whenever you like." },
    unsupported: {
      title: "You can't use passkeys here",
      text: "Use a phone or an up-to-date browser that locks with a fingerprint, face or PIN.",
    },
    already: { title: "This device already has your passkey", text: "You don't need another: sign in with it." },
    insecure: {
      title: "You can't use a passkey at this address",
      text: "Open Cupo over https, at the address your provider gave you.",
    },
    refused: {
      title: "This passkey doesn't open any account",
      text: "Try another. If you removed it or it's for another service, ask your provider for a new invitation.",
    },
    copied: {
      title: "There may be a copy of this passkey",
      text: "Nothing was done. Freeze your account from another device, or ask your provider to freeze it.",
    },
    frozen: {
      title: "Your account is frozen",
      text: "Nobody can pay with it or see it. Money sent to you still arrives. Ask your provider to unfreeze it.",
    },
  },
  lock: {
    title: "Cupo is locked",
    text: "You're still signed in. Open it with your fingerprint, face or PIN.",
    demo: "Demo: this button opens it.",
    open: "Unlock",
    asking: "Waiting for your passkey",
  },
};
