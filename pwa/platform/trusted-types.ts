/**
 * The part of a Trusted Types policy that the app uses; in a browser without Trusted Types, addresses pass as they are.
 */
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
 * Returns the page's one Trusted Types policy, `cupo`, which every copy of Lit on the page shares: a strict page admits
 * no other name and no second creation. It checks nothing: pass it only addresses that our own build wrote.
 */
export function scriptUrlPolicy(page: object = globalThis): ScriptUrlPolicy {
  const host = page as TrustedTypesPage;
  host[SHARED] ??= host.trustedTypes?.createPolicy("cupo", {
    createHTML: (text) => text,
    createScriptURL: (text) => text,
  });
  return host[SHARED] ?? { createScriptURL: (url) => url };
}
