// Stands for your database. The price is yours: no page may name it.
const orders = new Map([["1042", { amount: 25_000, currency: "COP", state: "open", sessionId: undefined }]]);

export function findOrder(number) {
  const order = orders.get(number);
  if (order === undefined) throw new Error(`there is no order ${number}`);
  return order;
}

// For what the broker itself said: by its webhook, or when it was asked. Never for what a page said.
export function settle(number, { amount, currency, refunded_amount: back = 0 }) {
  const order = orders.get(number);
  if (amount !== order?.amount || currency !== order.currency) {
    console.error(`order ${number}: ${amount} ${currency} is not its price; have somebody look at it`);
    return;
  }
  if (back > 0) console.log(`order ${number}: ${back} back`);
  if (back >= amount) order.state = "refunded"; // for good: "paid" may be told after it
  if (order.state !== "open") return;
  order.state = "paid";
  console.log(`order ${number} is paid: deliver`);
}
