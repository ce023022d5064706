import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Authenticator } from "../access/authenticator.ts";

/**
 * Wraps the passkey authenticator for the demo: its people prove their presence and approve by a button, until they
 * sign in with a passkey.
 */
export function createDemoAuthenticator(passkeys: Authenticator, newId: () => string): Authenticator {
  return {
    ...passkeys,
    methods: ["passkey", "button"],
    async startProof(person, purpose) {
      if (person.method !== "button") return passkeys.startProof(person, purpose);
      return { proof_id: newId(), method: "button" };
    },
    async useProof(person, purpose, proof) {
      const isPressed = "demo" in proof && person.method === "button";
      return isPressed ? { facts: { demo: true } } : passkeys.useProof(person, purpose, proof);
    },
    async checkApprover(person, request, proof) {
      if (request.method !== "button") return passkeys.checkApprover(person, request, proof);
      if (person.method === "button" && proof.demo === true) return { facts: {}, keepUse: async () => undefined };
      throw new ApiError("not_allowed", { detail: "Demo people approve with demo: true." });
    },
  };
}
