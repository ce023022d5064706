import type { BrowserContext } from "playwright-core";
import type { Movement } from "../../../src/contract/broker/broker.ts";

const PAYEES = [
  "Café La Candelaria",
  "Tienda Lola",
  "Óscar Muñoz",
  "Panadería San José de la Montaña",
  "Ferretería 72",
];
const KINDS = ["qr", "payment", "recharge", "transfer", "refund"] as const;
/** Movements on each day. */
const A_DAY = 12;
const DAY_MS = 86_400_000;

function movementAt(index: number, nowMs: number): Movement {
  const received = index % 7 === 3;
  const amount = 1_000 + ((index * 7_919) % 500) * 100;
  const refunded = index % 41 === 5;
  return {
    id: `01890a5d-ac96-774b-bcce-${String(1_000_000 - index).padStart(12, "0")}`,
    reference: `7K3M9QXT${String(index).padStart(5, "0")}`,
    kind: KINDS[index % KINDS.length] ?? "qr",
    status: index % 29 === 11 ? "rejected" : refunded ? "reversed" : "approved",
    direction: received ? "received" : "sent",
    counterparty: PAYEES[index % PAYEES.length] ?? "",
    counterparty_id: `01890a5d-ac96-774b-bcce-b302099a805${index % PAYEES.length}`,
    amount,
    ...(refunded ? { reversed_amount: amount } : {}),
    currency: "COP",
    created_at: new Date(nowMs - Math.floor(index / A_DAY) * DAY_MS - (index % A_DAY) * 600_000).toISOString(),
    balance_after: 500_000,
  };
}

/** A person's history of so many movements, newest first. */
export function longHistory(count: number, nowMs: number): readonly Movement[] {
  return Array.from({ length: count }, (_, index) => movementAt(index, nowMs));
}

/** Answers a phone's requests for its history with a long one, in pages and with sync tokens as the broker does. */
export async function serveHistory(context: BrowserContext, movements: readonly Movement[]): Promise<void> {
  await context.route("**/v1/me/history?*", async (route) => {
    const { searchParams } = new URL(route.request().url());
    const [from, limit] = [Number(searchParams.get("cursor") ?? 0), Number(searchParams.get("limit"))];
    const page = searchParams.has("changed-since") ? [] : movements.slice(from, from + limit);
    const next = page.length === limit && from + limit < movements.length;
    await route.fulfill({
      json: page,
      headers: {
        "sync-token": "bench",
        ...(next ? { link: `</v1/me/history?cursor=${from + limit}>; rel="next"` } : {}),
      },
    });
  });
}
