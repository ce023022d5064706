// The shop's own script: which order this is, and whether the shop's server says that it was paid.

const ORDER = /^[A-Z0-9]{6,12}$/;
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHECK_AGAIN_MS = 2_000;
const MOST_CHECKS = 15;

const words = {
  paid: ["Pago confirmado.", "Tu pedido está en preparación."],
  seen: ["La página recibió el aviso del pago.", "Falta la confirmación de nuestro servidor; el pedido sale con ella."],
  unconfirmed: [
    "Tu pago aún no aparece en nuestro servidor.",
    "El pedido sale apenas se confirme. No pagues otra vez.",
  ],
};

/** The order of the address, or a new one that is put there, so that a reload shows the same order. */
function currentOrder() {
  const address = new URL(location.href);
  const given = address.searchParams.get("order") ?? "";
  if (ORDER.test(given)) return given;
  const order = newOrder();
  address.searchParams.set("order", order);
  history.replaceState(null, "", address);
  return order;
}

function newOrder() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => LETTERS[byte % LETTERS.length]).join("");
}

function say([title, detail]) {
  document.querySelector("#delivery").textContent = title;
  document.querySelector("#delivery-detail").textContent = detail;
}

/** Reads the order's state from the shop's server: the only answer on which goods are handed over. */
async function orderState(order) {
  const response = await fetch(`/demo/order?order=${encodeURIComponent(order)}`);
  if (!response.ok) throw new Error(`the shop answered ${response.status}`);
  return (await response.json()).state;
}

async function waitForConfirmation(order, checksLeft = MOST_CHECKS) {
  const state = await orderState(order).catch((error) => {
    console.warn("The order could not be checked; it is tried again.", error);
  });
  if (state === "paid") return say(words.paid);
  if (checksLeft <= 1) return say(words.unconfirmed);
  await new Promise((resolve) => setTimeout(resolve, CHECK_AGAIN_MS));
  return waitForConfirmation(order, checksLeft - 1);
}

const order = currentOrder();
document.querySelector("#order-number").textContent = order;
document.querySelector("#new-order").href = `/demo/?order=${newOrder()}`;

const payment = document.createElement("pay-qr");
payment.setAttribute("session-url", `/demo/session?order=${encodeURIComponent(order)}`);
payment.addEventListener("pay-paid", () => {
  say(words.seen);
  waitForConfirmation(order).catch(reportError);
});
document.querySelector("#payment").replaceWith(payment);
