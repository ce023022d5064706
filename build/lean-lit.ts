import type { Plugin } from "vite";
import { type Edit, editSource, replacements } from "./edit-source.ts";

/** A piece of lit-html that no element of ours meets, and what the build puts in its place. */
interface Cut {
  readonly what: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

function cut(what: string, pattern: RegExp, replacement = ""): Cut {
  return { what, pattern, replacement };
}

const HOST = /this\._\$AH\.call\(this\.options\?\.host\?\?this\.element,t\):this\._\$AH\.handleEvent\(t\)/g;

/** As the published, minified file has them; each must be found, so that another lit-html fails the build. */
const CUTS: readonly Cut[] = Object.freeze([
  cut("hooks for browsers without shadow DOM", /\b[\w$]+\.litHtmlPolyfillSupport\b/g, "undefined"),
  cut("the list of versions, which its development build reads", /,\(t\.litHtmlVersions\?\?=\[\]\)\.push\("[\d.]+"\)/g),
  cut("directives", /function M\(t,i,s=t,e\)\{.+?\}(?=class R\{)/g, "function M(t,i){return i}"),
  cut("directives on an element", /6===r\.type&&\(i=new Z\(h,this,t\)\)/g, "0"),
  cut("directives on an element", /t\.startsWith\(o\)&&\(d\.push\(\{type:6,.+?removeAttribute\(t\)\)/g, "0"),
  cut("directives that hear of their removal", /get _\$AU\(\)\{.+?\}/g),
  cut("directives that hear of their removal", /this\._\$AN=void 0,/g),
  cut("directives that hear of their removal", /,this\._\$Cv=e\?\.isConnected\?\?!0/g),
  cut("directives that hear of their removal", /this\._\$AP\?\.\(!1,!0,s\)/g),
  cut("directives that hear of their removal", /setConnected\(t\)\{.+?\)\}/g),
  cut("what directives ask", /get (?:startNode|endNode|tagName)\(\)\{return this[\w.$]+\}/g),
  cut("what directives ask", /get parentNode\(\)\{.+?\}(?=get |u\(t\)|_\$AI)/g),
  cut("values in the text of a textarea or a style", /y\.test\(u\[2\]\)&&\(n=RegExp\("<\/"\+u\[2\],"g"\)\),/g),
  cut("values in the text of a textarea or a style", /if\(y\.test\(r\.tagName\)\)\{.+?\}\}(?=\}else if\(8===)/g),
  cut("values in comments", /else\{let t=-1;for\(;.+?type:7,index:l\}\),.+?\}/g),
  cut("graphics alone", /2===i\?"<svg>":(?=3===i)/g),
  cut("graphics alone", /2===i\?"<\/svg>":(?=3===i)/g),
  cut("graphics alone", /,2===i\|\|3===i\)\{.+?\}(?=for\()/g, ");"),
  cut("comments in templates", /"!--"===u\[1\]\?c=_:/g),
  cut("formulas", /3===i\?"<\/?math>":/g),
  cut("templates that a compiler has prepared", /"number"==typeof s\?this\._\$AC\(t\):\(.+?\),s\)/g, "this._$AC(t)"),
  cut("templates for another document", /\(t\?\.creationScope\?\?l\)/g, "l"),
  cut("drawing before other nodes", /s\?\.renderBefore\?\?/g),
  cut("listeners with options", /\|\|t\.capture!==s\.capture\|\|t\.once!==s\.once\|\|t\.passive!==s\.passive/g),
  cut("listeners that are objects, or want a host", HOST, "this._$AH(t):0"),
]);

/** What an element must not use, because the scripts of the elements come without it. */
const FOREIGN = /[\\/](?:lit-html[\\/](?:async-)?directive\.js|reactive-element[\\/]|lit-element[\\/])/;

/**
 * Takes out of Lit, for the elements' scripts, what none of them meets. An element that begins to use one of these
 * parts fails the build here.
 */
export function leanLit(isWidget: (environment: { readonly name: string }) => boolean): Plugin {
  return {
    name: "cupo:lean-lit",
    apply: "build",
    applyToEnvironment: isWidget,
    transform: {
      filter: { id: /[\\/]lit-html[\\/](?:.*[\\/])?lit-html\.js$/ },
      handler(code, id) {
        return editSource(
          code,
          CUTS.flatMap((one) => {
            const edits = editsOf(code, one);
            if (edits.length === 0)
              this.error(`${id} no longer has ${one.what} in the form known here: ${one.pattern}`);
            return edits;
          }),
        );
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const modules = chunk.type === "chunk" ? Object.entries(chunk.modules) : [];
        const foreign = modules.find(([id, { renderedLength }]) => FOREIGN.test(id) && renderedLength > 0)?.[0];
        if (foreign === undefined) continue;
        this.error(
          `${chunk.fileName} has ${foreign} in it: an element of ours is a RenderedElement (widgets/shared), and ` +
            "does without the directives that build/lean-lit.ts cuts out.",
        );
      }
    },
  };
}

function editsOf(code: string, { pattern, replacement }: Cut): readonly Edit[] {
  return replacements(code, pattern, () => replacement);
}
