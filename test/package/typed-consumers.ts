/** A backend in TypeScript, with what it may and may not do. */
export const BACKEND = `
import { createServer } from "node:http";
import { ApiError, type BodyOf, createCupoClient, createMerchantClient, type ServiceContract } from "cupo/client";
import { formatAmount, parseAmount } from "cupo/client";
import { verifyWebhook, WebhookError } from "cupo/webhooks";

const cupo = createCupoClient({ baseUrl: "https://api.example", clientId: "id", clientSecret: "secret" });
const merchant = createMerchantClient({ baseUrl: "https://pay.example", serverKey: "sk_1" });

export async function pay(order: string, body: BodyOf<ServiceContract["createTransaction"]>): Promise<number> {
  try {
    const { body: paid, replayed } = await cupo.createTransaction({ body }, { idempotencyKey: order });
    const again: boolean = replayed;
    return again || paid.status === "approved" ? paid.amount : 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === "user_not_found") return 0;
    throw error;
  }
}

export async function start(order: string): Promise<string> {
  const body = { kind: "pay", amount: 25000, order, origin: "https://shop.example" } as const;
  return (await merchant.createSession({ body })).body.session;
}

// @ts-expect-error An amount is a number.
void cupo.createTransaction({ body: { amount: "5", from_user_id: "a", to_user_id: "b" } });
// @ts-expect-error There is no such code.
export const isOdd = (error: ApiError) => error.code === "odd";
// @ts-expect-error A merchant makes no users.
void merchant.createUser;
export const sum: string = formatAmount(parseAmount("1200.50", 2) + 1n, 2);
// @ts-expect-error The digits of the currency are needed.
formatAmount(1250000n);
// @ts-expect-error The digits of the currency are needed.
parseAmount("12500");
// @ts-expect-error The secret is needed.
createCupoClient({ baseUrl: "https://api.example", clientId: "id" });

createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  try {
    const event = verifyWebhook({ body: Buffer.concat(parts), headers: request.headers, secrets: ["whsec_1"] });
    const id: string = event.id;
    if (event.type === "payment.paid") await pay(event.data.order ?? id, { amount: event.data.amount } as never);
    if (event.type === "transaction.created") console.log(event.data.from_user_id);
    // @ts-expect-error There is no such event.
    if (event.type === "payment.dreamt") return;
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError && error.code !== "unknown_event" ? 400 : 500).end();
  }
});
`;

/** A page's script in TypeScript. */
export const PAGE = `
import "cupo/widgets";
import { PayQr } from "cupo/pay-qr/element";

const element: PayQr = document.createElement("pay-qr");
element.fetchSession = async () => ({ session: "ws_1" });
element.addEventListener("pay-paid", (event) => {
  const reference: string = event.detail.reference;
  console.log(reference);
});
// @ts-expect-error Not a function.
element.fetchSession = 5;
// @ts-expect-error What is private stays so.
void element.render;
`;

/** An app in React 19 that shows every element, and listens to every event of it. */
export function reactApp(
  elements: readonly { readonly tagName: string; readonly events: readonly string[] }[],
): string {
  const shown = elements.map(({ tagName, events }) => {
    const listeners = events.map((name) => `on${name}={(event) => void (event.detail satisfies object)}`);
    const common = 'key="1" lang="es" className="wide" aria-label="Pay" onClick={() => {}}';
    return `<${tagName} ${common} ${listeners.join(" ")} />`;
  });
  return `
import { useRef } from "react";
import type {} from "cupo/react";
import type { PayQr } from "cupo/pay-qr/element";

export function Checkout() {
  const shown = useRef<PayQr>(null);
  return (
    <pay-qr
      ref={shown}
      session-url="/session?order=1042"
      fetchSession={async () => ({ session: "ws_1" })}
      onpay-paid={(event) => console.log(event.detail.reference.length, shown.current?.phase)}
    />
  );
}

export const all = [
  ${shown.join(",\n  ")}
];

export const faults = [
  // @ts-expect-error An address is text.
  <pay-qr key="1" session-url={5} />,
  // @ts-expect-error The detail has no such field.
  <pay-qr key="2" onpay-paid={(event) => event.detail.odd} />,
  // @ts-expect-error There is no such property.
  <pay-qr key="3" fetchSesion={async () => ({ session: "ws_1" })} />,
];
`;
}
