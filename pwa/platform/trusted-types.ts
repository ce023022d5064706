/** The part of a Trusted Types policy that the app uses; without the platform's support, texts pass as they are. */
export interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(text: string): string },
  ): ScriptUrlPolicy;
}

interface TrustedTypesPage {
  readonly trustedTypes?: PolicyFactory;
  [shared: symbol]: ScriptUrlPolicy | undefined;
}

const SHARED = Symbol.for("cupo.trusted-types");

/**
 * The page's one policy, `cupo`, which every copy of Lit on the page shares: a strict page admits no other name and
 * no second creation. It passes only addresses that our own build wrote.
 */
export function scriptUrlPolicy(page: object = globalThis): ScriptUrlPolicy {
  const host = page as TrustedTypesPage;
  host[SHARED] ??= host.trustedTypes?.createPolicy("cupo", {
    createHTML: (text) => text,
    createScriptURL: (text) => text,
  });
  return host[SHARED] ?? { createScriptURL: (url) => url };
}
