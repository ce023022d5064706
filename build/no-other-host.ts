import type { Plugin } from "vite";
import { editSource, replacements } from "./edit-source.ts";

const OTHER_HOST = /`https:\/\/[\w.]*jsdelivr\.net\/[^`]*`/g;

/**
 * Takes out of the decoder's package the address of another host at which it would look for its WebAssembly by itself.
 * We hand it over ready; this way nobody who changes that asks a stranger by mistake.
 */
export function noOtherHost(): Plugin {
  return {
    name: "cupo:no-other-host",
    apply: "build",
    transform: {
      filter: { id: /[\\/]zxing-wasm[\\/].*\.js$/, code: /jsdelivr/ },
      handler(code) {
        return editSource(
          code,
          replacements(code, OTHER_HOST, () => '""'),
        );
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const asks = chunk.type === "chunk" && /jsdelivr|unpkg/.test(chunk.code);
        if (asks) this.error(`${chunk.fileName} names another host in a form not known here: see OTHER_HOST.`);
      }
    },
  };
}
