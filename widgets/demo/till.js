// The till's own script: what the shop's page does with a sale that the element tells of.

const lastSale = document.querySelector("#last-sale");
document.querySelector("recharge-form").addEventListener("recharge-done", ({ detail }) => {
  lastSale.textContent = `Última venta de esta página: ${detail.reference}.`;
});
