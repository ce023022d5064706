import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { findOrder, settle } from "./orders.mjs";

const { BROKER, SHOP, SERVER_KEY } = process.env;
const POLICY =
  `default-src 'none'; script-src 'self' ${BROKER}; style-src 'self'; connect-src 'self' ${BROKER}; ` +
  "require-trusted-types-for 'script'; trusted-types cupo";

// The server key goes from here to the broker, and nowhere else.
async function askBroker(path, body) {
  const response = await fetch(BROKER + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${SERVER_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`the broker answered ${answer.code}: ${answer.detail}`);
  return answer;
}

async function startSession(number) {
  const order = findOrder(number); // yours also checks that it is this visitor's order
  const wanted = { kind: "pay", amount: order.amount, order: number, origin: SHOP };
  const { session, session_id } = await askBroker("/v1/sessions", wanted);
  order.sessionId = session_id;
  return { session };
}

async function orderState(number) {
  const order = findOrder(number);
  if (order.state !== "refunded" && order.sessionId !== undefined) {
    const known = await askBroker(`/v1/sessions/${order.sessionId}`);
    if (known.state === "paid") settle(known.order, known);
  }
  return { state: order.state };
}

const json = async (answer) => ["application/json", JSON.stringify(await answer)];
const routes = {
  "GET /": async () => ["text/html", (await readFile("page.html", "utf8")).replaceAll("{BROKER}", BROKER)],
  "GET /page.js": async () => ["text/javascript", await readFile("page.js")],
  "POST /my-shop/session": (query) => json(startSession(query.get("order"))),
  "GET /my-shop/order": (query) => json(orderState(query.get("order"))),
};

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, SHOP);
  try {
    const [type, body] = (await routes[`${request.method} ${pathname}`]?.(searchParams)) ?? [];
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
}).listen(new URL(SHOP).port, () => console.log(`the shop is at ${SHOP}`));
