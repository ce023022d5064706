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

for (const type of ["quota-loaded", "quota-error", "recharge-done", "recharge-rejected", "recharge-error"]) {
  document.addEventListener(type, async ({ target, detail }) => {
    await target.updateComplete;
    tell({ event: type, detail, text: target.shadowRoot.querySelector(".card").textContent });
  });
}

const parameters = new URLSearchParams(location.search);
const name = parameters.get("element") ?? "pay-qr";
await Promise.all([import(`/widgets/${name}.js`), import(`/widgets/another/${name}.js`)]);
const element = document.createElement(name);
element.setAttribute("session-url", `/shop/${parameters.get("payment")}`);
document.body.append(element);

// The test cannot reach into another origin's frame: it says what to press, or what to type and send.
addEventListener("message", ({ data: { selector, text } }) => {
  const found = element.shadowRoot?.querySelector(selector);
  if (text === undefined) return found?.click();
  if (found) found.value = text;
  found?.form.requestSubmit();
});
