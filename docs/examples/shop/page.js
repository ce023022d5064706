const TEXTS = { paid: "Tu pedido está en preparación.", refunded: "Te devolvimos este pago." };

// The event is a reason to ask the shop's own server, and no more than that.
document.querySelector("pay-qr").addEventListener("pay-paid", async () => {
  const response = await fetch("/my-shop/order?order=1042");
  const { state } = await response.json();
  document.querySelector("#order").textContent = TEXTS[state] ?? "Confirmamos tu pago.";
});
