import { deriveToken } from "../access/opaque-token.ts";

/** The demo merchant's keys. */
export interface DemoMerchantKeys {
  readonly publishableKey: string;
  readonly serverKey: string;
}

/** The demo merchant's keys: derived, so that every start finds the same and none is stored. */
export function demoMerchantKeys(key: Uint8Array): DemoMerchantKeys {
  return {
    publishableKey: deriveToken("pk_", key, "demo merchant"),
    serverKey: deriveToken("sk_", key, "demo merchant"),
  };
}

/** The key in a demo person's sign-in address. */
export function demoSignInKey(key: Uint8Array, person: string): string {
  return deriveToken("si_", key, "demo person", person);
}
