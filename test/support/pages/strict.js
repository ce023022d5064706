// Tells the test around this frame what happens in it.
const tell = (what) => parent.postMessage(what, "*");

document.addEventListener("securitypolicyviolation", (event) => {
  tell({ violation: `${event.violatedDirective} ${event.blockedURI} ${event.sample}` });
});
addEventListener("error", (event) => tell({ error: event.message }));
for (const type of ["pay-ready", "pay-paid", "pay-error"]) {
  document.addEventListener(type, (event) => {
    tell({ event: type, path: event.target.shadowRoot.querySelector("svg path")?.getAttribute("d")?.length ?? 0 });
  });
}

await Promise.all([import("/widgets/pay-qr.js"), import("/widgets/another/pay-qr.js")]);
const element = document.createElement("pay-qr");
element.setAttribute("session-url", `/shop/${new URLSearchParams(location.search).get("payment")}`);
document.body.append(element);
