import type { Plugin } from "vite";
import { editSource, replacements } from "./edit-source.ts";

const OTHER_HOST = /`https:\/\/[\w.]*jsdelivr\.net\/[^`]*`/g;

/**
 * Removes from the decoder's package the address of a third-party host from which it would load its WebAssembly by
 * itself. The app supplies the WebAssembly; this way no later change can load it from that host by mistake.
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
