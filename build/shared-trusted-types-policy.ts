import type { Plugin } from "vite";
import { editPackage } from "./edit-package.ts";

/**
 * Lets every copy of lit-html on a page share the one Trusted Types policy that a strict page admits (`trusted-types
 * cupo`): Lit creates a policy of its own name, which such a page refuses, and a second creation would throw.
 */
export function sharedTrustedTypesPolicy(): Plugin {
  return editPackage({
    name: "cupo:shared-trusted-types-policy",
    file: /[\\/]lit-html[\\/](?:.*[\\/])?lit-html\.js$/,
    code: /([\w$.]+)\.createPolicy\(\s*"lit-html",\s*\{\s*createHTML:\s*\(?(\w+)\)?\s*=>\s*\2\s*\}\s*\)/g,
    replacement:
      '(globalThis[Symbol.for("cupo.trusted-types")]??=' +
      '$1.createPolicy("cupo",{createHTML:s=>s,createScriptURL:s=>s}))',
    forbidden: /createPolicy\(\s*["'`]lit-html/,
  });
}
