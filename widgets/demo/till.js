// The till's own script: shows how the shop's page handles a sale that the element reports.

const lastSale = document.querySelector("#last-sale");
document.querySelector("recharge-form").addEventListener("recharge-done", ({ detail }) => {
  lastSale.textContent = `Última venta de esta página: ${detail.reference}.`;
});
