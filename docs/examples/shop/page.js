// The event is a reason to ask the shop's own server, and no more than that.
document.querySelector("pay-qr").addEventListener("pay-paid", async () => {
  const response = await fetch("/my-shop/order?order=1042");
  const { state } = await response.json();
  const isPaid = state === "paid";
  document.querySelector("#order").textContent = isPaid ? "Tu pedido está en preparación." : "Confirmamos tu pago.";
});
