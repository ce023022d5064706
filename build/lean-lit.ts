import type { Plugin, Rolldown } from "vite";
import { type Edit, editSource, replacements } from "./edit-source.ts";

/**
 * A piece of lit-html as its published, minified file has it, where `…` is whatever stands there before what follows,
 * and what the build puts in its place.
 */
type Cut = readonly [piece: string, replacement: string];

/** Code of lit-html that no element of ours uses. Each piece must be found, so that another version fails the build. */
const CUTS: Readonly<Record<string, readonly Cut[]>> = Object.freeze({
  "hooks for browsers without shadow DOM": [
    ["t.litHtmlPolyfillSupport", "void 0"],
    ["i=t=>t,s=", "s="],
    ["s=i(t).nextSibling;i(t).remove(),t=s", "i=t.nextSibling;t.remove(),t=i"],
  ],
  "the list of versions, which its development build reads": [[',(t.litHtmlVersions??=[]).push("…")', ""]],
  "graphics and formulas alone": [
    ["x=t=>…,T=x(3),", "b=(t,...i)=>({_$litType$:1,strings:t,values:i}),"],
    ["T as mathml,", ""],
    [",w as svg", ""],
    ["N=(t,i)=>{const s=t.length-1,e=[];let n,l=…,c=v;", 'N=t=>{const s=t.length-1,e=[];let l="",c=v;'],
    ['+(2===i?"</svg>"…))', ")"],
    ["constructor({strings:t,_$litType$:i},e)", "constructor({strings:t})"],
    ["N(t,i);if(this.el=S.createElement(f,e),", "N(t);for(this.el=S.createElement(f),"],
    [",2===i||3===i){…}for(;", ";"],
  ],
  "tags and attributes of any name, comments, raw text": [
    ["v=/<(?:…,_=/-->/g,m=/>/g,", "v=/<\\/?[a-zA-Z][^>\\s]*/g,"],
    ['"!--"===u[1]?…&&(c=p):c===p?', "c=p:c===p?"],
    ["c=n??v", "c=v"],
    ["p=RegExp(`…g=/'/g,", "p=/>|\\s(?:([^\\s\"'>=/]+)(\\s*=\\s*(?:[^\\s\"'`<>=]|(\"|')|))|$)/g,g=/'/g,"],
    ["c===$||c===g?c=p:c===_…;const x=…;", "c=p;"],
    ["+x):s+o+(-2===d?i:x)", "):s+o"],
    ["else t.startsWith(o)&&…l++", "}else r.data===n&&d.push({index:l});l++"],
  ],
  "templates for another document": [
    ["(t,i){const s=l.createElement", "(t){const s=l.createElement"],
    ["(t?.creationScope??l)", "l"],
  ],
  "templates that a compiler has prepared": [[',_$litType$:s}=t,e="number"==typeof s?…,s);', "}=t,e=this._$AC(t);"]],
  "drawing before other nodes": [
    ["D=(t,i,s)=>{…,h}", "D=(t,i)=>(i._$litPart$??=new k(i.insertBefore(c(),null),null))._$AI(t)"],
  ],
  "listeners that are objects, have options or a host": [
    [
      "constructor(t,i,s,e,h){super(t,i,s,e,h),this.type=5}_$AI(t,i=this){…}",
      "_$AI(t){this._$AH===A&&this.element.addEventListener(this.name,this),this._$AH=t}",
    ],
    ['"function"==typeof this._$AH?…:this._$AH.handleEvent(t)', "this._$AH?.(t)"],
  ],
  directives: [
    ["function M(t,i,s=t,e){…}class R{", "function M(){}class R{"],
    ["t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E,", "o=!a(t)||t!==this._$AH,"],
    ["M(this,e[s+n],i,n),r===E&&(r=this._$AH[n])", "e[s+n]"],
    ["&&t!==E&&this._(t)", "&&this._(t)"],
    ["_$AI(t,i=this,s,e){", "_$AI(t,s){"],
    [
      "void 0!==s&&(void 0!==s.strings?(s._$AI(t,s,i),…):s._$AI(t[i])),",
      "void 0!==s.strings?(s._$AI(t,i),i+=s.strings.length-2):s._$AI(t[i]),",
    ],
    ["o&&!e&&this.j(t)", "o&&this.j(t)"],
  ],
  "what directives ask": [
    ["d.push({type:1,", "d.push({"],
    [
      "let i;2===r.type?…,this._$AV.push(i)",
      "this._$AV.push(r.ctor?new r.ctor(h,r.name,r.strings):new k(h,h.nextSibling))",
    ],
    ["constructor(t,i){this._$AV=…u(t){", "constructor(t){this._$AV=[],this._$AD=t}u(){"],
    ["t=new R(e,this),s=t.u(this.options)", "t=new R(e),s=t.u()"],
    [
      "get _$AU(){return this._$AM?.…_$AI(t,i=this){t=M(this,t,i),",
      "constructor(t,i){this._$AH=A,this._$AA=t,this._$AB=i}_$AI(t){",
    ],
    [",this,this.options))", "))"],
    ["get tagName(){…,this.name=i,this._$AM=e,this.options=h,", "constructor(t,i,s){this.element=t,this.name=i,"],
    ["constructor(){super(...arguments),this.type=3}", ""],
    ["constructor(){super(...arguments),this.type=4}", ""],
  ],
  "directives that hear of their removal": [
    [",s){for(this._$AP?.(!1,!0,s);", "){for(;"],
    ["this._$AR(s&&s._$AB.nextSibling,e)", "this._$AR(s&&s._$AB.nextSibling)"],
    ["setConnected(t){…)}", ""],
  ],
});

/** The modules that an element must not use, because the scripts of the elements come without them. */
const FOREIGN = /[\\/](?:lit-html[\\/](?:async-)?directive\.js|reactive-element[\\/]|lit-element[\\/])/;

/**
 * Removes from Lit, for the elements' scripts, the code that none of them uses. An element that begins to use one of
 * these parts fails the build: here, or where a template has it, in build/compact-templates.ts.
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
          Object.entries(CUTS).flatMap(([what, cuts]) =>
            cuts.flatMap((one) => {
              const edits = editsOf(code, one);
              if (edits.length === 0) this.error(`${id} no longer has ${what} in the form known here: ${one[0]}`);
              return edits;
            }),
          ),
        );
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const foreign = chunk.type === "chunk" ? foreignIn(chunk) : undefined;
        if (foreign === undefined) continue;
        this.error(
          `${chunk.fileName} has ${foreign} in it: an element of ours is a RenderedElement (widgets/shared), and ` +
            "does without the directives that build/lean-lit.ts cuts out.",
        );
      }
    },
  };
}

function foreignIn({ code, modules }: Rolldown.OutputChunk): string | undefined {
  if (code.includes("lit-noChange")) return "noChange";
  return Object.entries(modules).find(([id, { renderedLength }]) => FOREIGN.test(id) && renderedLength > 0)?.[0];
}

function editsOf(code: string, [piece, replacement]: Cut): readonly Edit[] {
  const texts = piece.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return replacements(code, new RegExp(texts.join(".+?"), "g"), () => replacement);
}
