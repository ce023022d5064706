import type { Plugin } from "vite";
import { editPackage } from "./edit-package.ts";

/**
 * Removes from the decoder's package the address of a third-party host from which it would load its WebAssembly by
 * itself. The app supplies the WebAssembly; this way no later change can load it from that host by mistake.
 */
export function noOtherHost(): Plugin {
  return editPackage({
    name: "cupo:no-other-host",
    file: /[\\/]zxing-wasm[\\/]dist[\\/]es[\\/]share\.js$/,
    code: /`https:\/\/[\w.]*jsdelivr\.net\/[^`]*`/g,
    replacement: '""',
    forbidden: /jsdelivr|unpkg/,
  });
}
