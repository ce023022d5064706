import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freePort } from "../e2e/support/product.ts";
import { guideBlock } from "./guide-blocks.ts";

const WEBHOOKS = pathToFileURL(join(import.meta.dirname, "../../src/cupo-webhooks.ts")).href;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const SESSION = "01890a5d-ac96-774b-bcce-b302099a8057";
const AT = "2026-05-01T15:04:05.678Z";
const common = { session_id: SESSION, reference: "7K3M9QXT2V4FW", amount: 25_000, currency: "COP" };
const payment = { ...common, transaction_id: SESSION, paid_at: AT };

let folder: string;
let shop: ChildProcess;
let url: string;
let said: string;
let sent: number;

/** The guide's receiver with the guide's orders, as a reader would run it. */
beforeEach(async () => {
  [said, sent] = ["", 0];
  folder = await mkdtemp(join(tmpdir(), "cupo-guide-webhook-"));
  await writeFile(join(folder, "orders.mjs"), guideBlock("orders.mjs"));
  const code = guideBlock("webhook.mjs").replace('"cupo/webhooks"', JSON.stringify(WEBHOOKS));
  await writeFile(join(folder, "webhook.mjs"), code);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  const env = { WEBHOOK_SECRET: SECRET, WEBHOOK_PORT: String(port) };
  shop = spawn(process.execPath, ["webhook.mjs"], { cwd: folder, env });
  for (const stream of [shop.stdout, shop.stderr]) stream?.on("data", (data) => (said += String(data)));
  await vi.waitFor(() => expect(said).toBe("webhooks are heard\n"), { timeout: 20_000 });
  said = "";
}, 30_000);
afterEach(async () => {
  const ended = once(shop, "close");
  shop.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
});

async function tell(type: string, data: object): Promise<number> {
  const [id, now] = [`message-${sent++}`, new Date()];
  const body = JSON.stringify({ type, timestamp: AT, data });
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(SECRET).sign(id, now, body),
  };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

const OPEN = `payment.paid: 25000 COP, no order, session ${SESSION}`;

/** Expects these lines and no other: sends a last message, whose line shows that nothing else is on its way. */
async function heard(...lines: readonly string[]): Promise<void> {
  await tell("payment.paid", payment);
  const all = () => said.split("\n").filter((line) => line !== "");
  await vi.waitFor(() => expect(all()).toContain(OPEN), { timeout: 5_000 });
  expect(all().sort()).toEqual([...lines, OPEN].sort());
}

it("the guide's shop delivers what was paid once, and not again after a part was given back", async () => {
  const order = { order: "1042" };
  expect(await tell("payment.paid", { ...payment, ...order })).toBe(204);
  expect(await tell("payment.paid", { ...payment, ...order })).toBe(204);
  expect(await tell("payment.refunded", { ...payment, ...order, refunded_amount: 5_000 })).toBe(204);
  await heard("order 1042 is paid: deliver", "order 1042: 5000 back");
});

it("the guide's shop delivers nothing of an order that was given back, also when that is told first", async () => {
  await tell("payment.refunded", { ...payment, order: "1042", refunded_amount: 25_000 });
  expect(await tell("payment.paid", { ...payment, order: "1042" })).toBe(204);
  await heard("order 1042: 25000 back");
});

it("the guide's shop takes an open amount for no order, and none of its own at another price", async () => {
  expect(await tell("payment.expired", { ...common, order: "1042" })).toBe(204);
  expect(await tell("payment.paid", { ...payment, order: "1042", amount: 1 })).toBe(204);
  await heard("order 1042: 1 COP is not its price; have somebody look at it");
});
