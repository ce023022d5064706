import type { Plugin } from "vite";

const MODULE = '<script type="module"';
const MODULE_SCRIPT = /\s*<script type="module"[^>]*><\/script>/g;
const FIRST_PLACE = /<meta charset="utf-8" \/>/;

/**
 * Moves the app's script to the start of the built page's head, so that the browser requests it over the connection
 * that is open already: on a phone's network it would be there a round trip later. Its priority is below that of the
 * style sheet, which styles the static page until then, and it runs after the document all the same.
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
