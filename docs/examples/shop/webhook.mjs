import { createServer } from "node:http";
import { verifyWebhook, WebhookError } from "cupo/webhooks";
import { settle } from "./orders.mjs";

const { WEBHOOK_SECRET, WEBHOOK_PORT = "3001" } = process.env;
const seen = new Set(); // yours is a table: insert the id, unique, in the transaction that applies the event

async function receive(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const event = verifyWebhook({ body: Buffer.concat(parts), headers: request.headers, secrets: WEBHOOK_SECRET });
  if (seen.has(event.id)) return;
  const { order, session_id, amount, currency } = event.data;
  if (order === undefined) console.log(`${event.type}: ${amount} ${currency}, no order, session ${session_id}`);
  else if (event.type !== "payment.expired") settle(order, event.data);
  seen.add(event.id);
}

function statusOf(error) {
  if (!(error instanceof WebhookError)) return 500; // ours: it is sent again
  return error.code === "unknown_event" ? 204 : 400;
}

createServer(async (request, response) => {
  try {
    await receive(request);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(statusOf(error)).end();
  }
}).listen(Number(WEBHOOK_PORT), "127.0.0.1", () => console.log("webhooks are heard"));
