import type { Plugin } from "vite";
import { type Edit, editSource, replacements } from "./edit-source.ts";

/** A piece of Lit that no element of ours meets, and what the build puts in its place. */
interface Cut {
  readonly what: string;
  readonly file: RegExp;
  readonly pattern: RegExp;
  readonly replacement: string;
}

const CSS_TAG = /[\\/]reactive-element[\\/](?:.*[\\/])?css-tag\.js$/;
const REACTIVE_ELEMENT = /[\\/]reactive-element[\\/](?:.*[\\/])?reactive-element\.js$/;
const LIT_HTML = /[\\/]lit-html[\\/](?:.*[\\/])?lit-html\.js$/;
const LIT_ELEMENT = /[\\/]lit-element[\\/](?:.*[\\/])?lit-element\.js$/;

function cut(file: RegExp, what: string, pattern: RegExp, replacement = ""): Cut {
  return { what, file, pattern, replacement };
}

const HOOK = /\b[\w$]+\.(?:lit(?:Html|Element)|reactiveElement)(?:Polyfill|Hydrate)Support\b/g;
const VERSION = /,?\([\w$]+\.(?:lit(?:Html|Element)|reactiveElement)Versions\?\?=\[\]\)\.push\("[\d.]+"\)/g;

/** As Lit's published, minified files have them; each must be found, so that another Lit fails the build. */
const CUTS: readonly Cut[] = Object.freeze([
  ...[REACTIVE_ELEMENT, LIT_HTML, LIT_ELEMENT].flatMap((file) => [
    cut(file, "hooks for browsers without shadow DOM and for pages drawn by a server", HOOK, "undefined"),
    cut(file, "the list of Lit's versions on the page, which its development build reads", VERSION),
  ]),
  cut(CSS_TAG, "browsers without constructable style sheets", /e=t\.ShadowRoot&&.+?CSSStyleSheet\.prototype/g, "e=!0"),
  cut(CSS_TAG, "the guard of a class that is not exported here", /if\((this\._\$cssResult\$=!0),o!==s\).+?\);/g, "$1;"),
  cut(CSS_TAG, "advice to the author of a style", /throw Error\("Value passed .+?security\."\)/g, "throw Error()"),
  cut(REACTIVE_ELEMENT, "decorators", /Symbol\.metadata\?\?=.+?litPropertyMetadata\?\?=new WeakMap;/g),
  cut(REACTIVE_ELEMENT, "decorators", /const t=this\[Symbol\.metadata\];if\(null!==t\)\{.+?\}(?=this\._\$Eh=)/g),
  cut(REACTIVE_ELEMENT, "initializers", /static addInitializer\(t\)\{.+?\}(?=static )/g),
  cut(REACTIVE_ELEMENT, "initializers", /,void 0!==t\.l&&\(this\.l=\[\.\.\.t\.l\]\)/g),
  cut(REACTIVE_ELEMENT, "initializers", /,this\.constructor\.l\?\.forEach\(t=>t\(this\)\)/g),
  cut(REACTIVE_ELEMENT, "controllers", /addController\(t\)\{.+?\}removeController\(t\)\{.+?\}/g),
  cut(REACTIVE_ELEMENT, "controllers", /this\._\$EO\?\.forEach\(t=>t\.host\w+\?\.\(\)\)/g, "0"),
  cut(LIT_HTML, "directives", /function M\(t,i,s=t,e\)\{.+?\}(?=class R\{)/g, "function M(t,i){return i}"),
  cut(LIT_HTML, "directives on an element", /6===r\.type&&\(i=new Z\(h,this,t\)\)/g, "0"),
  cut(LIT_HTML, "directives on an element", /t\.startsWith\(o\)&&\(d\.push\(\{type:6,.+?removeAttribute\(t\)\)/g, "0"),
  cut(LIT_HTML, "values in comments", /else\{let t=-1;for\(;.+?type:7,index:l\}\),.+?\}/g),
  cut(LIT_HTML, "formulas", /3===i\?"<\/?math>":/g),
]);

/** What an element must not use, because the scripts of the elements come without it. */
const MISSED = /\b(?:add|remove)(?:Controller|Initializer)\b|\bhost(?:Connected|Disconnected|Updated?)\b|\bmathml\b/;

/**
 * Takes out of Lit, for the elements' scripts, what none of them meets: a tenth of its weight. An element that begins
 * to use one of these parts fails the build here.
 */
export function leanLit(isWidget: (environment: { readonly name: string }) => boolean): Plugin {
  return {
    name: "cupo:lean-lit",
    apply: "build",
    applyToEnvironment: isWidget,
    transform: {
      filter: { id: /[\\/](?:lit-html|lit-element|reactive-element|widgets)[\\/].*\.[jt]s$/ },
      handler(code, id) {
        if (/[\\/](?:directive|async-directive|decorators[\\/].*)\.js$/.test(id))
          this.error(`${id} is used by an element: directives and decorators are cut out of Lit in build/lean-lit.ts.`);
        const missed = /[\\/]widgets[\\/]/.test(id) ? MISSED.exec(code)?.[0] : undefined;
        if (missed !== undefined)
          this.error(`${id} uses ${missed}, which build/lean-lit.ts cuts out of Lit: keep it there.`);
        return editSource(
          code,
          CUTS.filter(({ file }) => file.test(id)).flatMap((one) => {
            const edits = editsOf(code, one);
            if (edits.length === 0)
              this.error(`${id} no longer has ${one.what} in the form known here: ${one.pattern}`);
            return edits;
          }),
        );
      },
    },
  };
}

function editsOf(code: string, { pattern, replacement }: Cut): readonly Edit[] {
  return replacements(code, pattern, (found) => replacement.replace("$1", () => found[1] ?? ""));
}
