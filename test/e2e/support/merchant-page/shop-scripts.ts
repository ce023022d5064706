/** Styles of the shop's own page; those for `svg`, `p` and `button` must not reach into the elements. */
export const SHOP_STYLE = `
  :root { color-scheme: light dark; font-family: serif }
  body { margin: 8px; display: flex; flex-wrap: wrap; gap: 16px; align-items: start }
  svg { display: none } p { color: red !important; font-size: 40px !important } button { display: none !important }
`;

/** Records the elements' events, from before they are defined. */
const HEARD = `
  globalThis.heard = [];
  const types = ["pay-ready", "pay-paid", "pay-rejected", "pay-expired", "pay-error", "recharge-done",
    "recharge-rejected", "recharge-error", "quota-loaded", "quota-error"];
  for (const type of types) {
    document.addEventListener(type, ({ detail }) => globalThis.heard.push({ type, detail }));
  }
`;

/** An element of the shop's own with a closed root, into which it puts ours before they are defined. */
const FOREIGN_ROOT = `
  const KINDS = { "pay-qr": "pay", "recharge-form": "till", "user-quota": "quota" };
  customElements.define("shop-frame", class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "closed" });
      for (const [name, kind] of Object.entries(KINDS)) {
        const element = document.createElement(name);
        element.setAttribute("session-url", "/session/" + kind + this.getAttribute(kind));
        root.append(element);
      }
      globalThis.foreignRoot = root;
    }
  });
`;

/** A page in a sandbox has no cookies for the shop's backend, so it was given its session with the page. */
const SANDBOXED = `
  const element = document.querySelector("pay-qr");
  element.fetchSession = async () => ({ session: element.dataset.given });
`;

/** The scripts of the shop's own pages, by their file names. */
export const SHOP_SCRIPTS: Readonly<Record<string, string>> = Object.freeze({
  "heard.js": HEARD,
  "foreign-root.js": FOREIGN_ROOT,
  "sandboxed.js": SANDBOXED,
});

/** A page's own use of Lit, in a copy of its own: it draws, and draws anew on a press. */
export const FOREIGN_LIT = `
  import { html, render } from "lit";
  const card = document.querySelector("#foreign-lit");
  let presses = 0;
  const draw = () => render(html\`<button @click=\${press}>pressed <b>\${presses}</b></button>\`, card);
  const press = () => { presses += 1; draw(); };
  draw();
`;
