import { deriveToken } from "../access/opaque-token.ts";

/** The two keys of the demo shop as a merchant. */
export interface DemoMerchantKeys {
  readonly publishableKey: string;
  readonly serverKey: string;
}

/**
 * Derives the demo shop's merchant keys from the broker's key, so that every start finds the same and none is stored.
 */
export function demoMerchantKeys(key: Uint8Array): DemoMerchantKeys {
  return {
    publishableKey: deriveToken("pk_", key, "demo merchant"),
    serverKey: deriveToken("sk_", key, "demo merchant"),
  };
}

/** Derives the secret in the address by which a demo person or operator signs in. */
export function demoSignInKey(key: Uint8Array, person: string): string {
  return deriveToken("si_", key, "demo person", person);
}
