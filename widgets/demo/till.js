// The till's own script: shows how the shop's page handles a sale that the element reports.

const till = document.querySelector("recharge-form");
const lastSale = document.querySelector("#last-sale");
till.addEventListener("recharge-done", ({ detail }) => {
  lastSale.textContent = `Última venta de esta página: ${detail.reference}.`;
});

// Nothing else is done on this page: whoever sells types at once. The focus goes from the card to its first field.
await customElements.whenDefined("recharge-form");
await till.updateComplete;
till.shadowRoot.querySelector("[part~=card]").focus({ preventScroll: true });
