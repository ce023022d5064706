import type { Plugin } from "vite";
import { editSource, replacements } from "./edit-source.ts";

const LIT_POLICY =
  /([\w$]+(?:\.[\w$]+)*)\.createPolicy\(\s*"lit-html",\s*\{\s*createHTML:\s*\(?([\w$]+)\)?\s*=>\s*\2\s*,?\s*\}\s*\)/g;

/**
 * Lets every copy of lit-html on a page share the one Trusted Types policy that a strict page admits (`trusted-types
 * cupo`): Lit creates a policy of its own name, which such a page refuses, and a second creation would throw.
 */
export function sharedTrustedTypesPolicy(): Plugin {
  return {
    name: "cupo:shared-trusted-types-policy",
    apply: "build",
    transform: {
      filter: { id: /[\\/]lit-html[\\/](?:.*[\\/])?lit-html\.js$/ },
      handler(code) {
        const policies = replacements(code, LIT_POLICY, ([, factory]) => getOrCreate(factory ?? ""));
        if (policies.length === 0)
          this.error("lit-html no longer creates its policy in the form known here: see LIT_POLICY.");
        return editSource(code, policies);
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const leaks = chunk.type === "chunk" && /createPolicy\(\s*["'`]lit-html/.test(chunk.code);
        if (leaks) this.error(`${chunk.fileName} still creates the policy "lit-html", which a strict page refuses.`);
      }
    },
  };
}

function getOrCreate(factory: string): string {
  return (
    `(globalThis[Symbol.for("cupo.trusted-types")]??=${factory}` +
    `.createPolicy("cupo",{createHTML:s=>s,createScriptURL:s=>s}))`
  );
}
