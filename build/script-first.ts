import type { Plugin } from "vite";

const MODULE = '<script type="module"';
const MODULE_SCRIPT = /\s*<script type="module"[^>]*><\/script>/g;
const FIRST_PLACE = /<meta charset="utf-8" \/>/;

/**
 * Asks for the app's script before anything else of the page, so that it comes over the connection that is open
 * already: on a phone's network it would be there a round trip later. It yields to the style sheet, which styles the
 * static page until then, and runs after the document all the same.
 */
export function scriptFirst(): Plugin {
  return {
    name: "cupo:script-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(page) {
        // The imports of the page's own script stand before it, and are small.
        const scripts = [...(page.match(MODULE_SCRIPT) ?? [])].reverse();
        const rest = page.replace(MODULE_SCRIPT, "");
        if (scripts.length === 0 || !FIRST_PLACE.test(rest)) throw new Error("The page has no script, or no charset.");
        const yielding = scripts.join("").replaceAll(MODULE, `${MODULE} fetchpriority="low"`);
        return rest.replace(FIRST_PLACE, (charset) => `${charset}${yielding}`);
      },
    },
  };
}
