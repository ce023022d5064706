import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, type WebhookFault, type WebhookRequest } from "./cupo-webhooks.ts";

const SECRET = `whsec_${btoa("a secret of the service, 24 bytes")}`;
const OTHER = `whsec_${btoa("another secret, of someone else")}`;
const NOW = Date.UTC(2026, 2, 31, 12);
const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const REFERENCE = "7K3M9QXT2V4FW";

const paid = {
  type: "payment.paid",
  timestamp: "2026-03-31T11:59:58.000Z",
  data: { session_id: ID, order: "1042", reference: REFERENCE, amount: 25_000, currency: "COP", transaction_id: ID },
};

function aRequest(message: unknown, { secret = SECRET, at = NOW, ...changed }: Partial<Judging> = {}) {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const headers = {
    "webhook-id": ID,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(secret).sign(ID, new Date(at), body),
  };
  return { body, headers, secrets: SECRET, now: () => NOW, ...changed };
}

interface Judging extends Pick<WebhookRequest, "secrets" | "now" | "toleranceSeconds"> {
  readonly secret: string;
  readonly at: number;
}

function faultOf(request: WebhookRequest): WebhookFault {
  try {
    verifyWebhook(request);
  } catch (error) {
    return (error as { code: WebhookFault }).code;
  }
  throw new Error("the message was taken");
}

describe("verifying a webhook", () => {
  it("answers the event with the id of its message", () => {
    const event = verifyWebhook(aRequest(paid));
    expect(event).toEqual({ ...paid, id: ID });
    if (event.type !== "payment.paid") throw new Error("expected a payment");
    expect(event.data.order).toBe("1042");
  });

  it("takes the headers of fetch and of Node, and bytes as well as text", () => {
    const request = aRequest({ ...paid, data: { ...paid.data, order: "piña 🍍" } });
    expect(verifyWebhook({ ...request, headers: new Headers(request.headers) }).id).toBe(ID);
    expect(verifyWebhook({ ...request, body: new TextEncoder().encode(request.body) }).id).toBe(ID);
    expect(verifyWebhook({ ...request, body: Buffer.from(request.body) }).id).toBe(ID);
  });

  it("takes either secret while they are being rotated, and a message that both have signed", () => {
    const secrets = [OTHER, SECRET];
    expect(verifyWebhook(aRequest(paid, { secrets })).id).toBe(ID);
    expect(verifyWebhook(aRequest(paid, { secrets, secret: OTHER })).id).toBe(ID);
    const [one, two] = [aRequest(paid, { secret: OTHER }), aRequest(paid)];
    const both = `${one.headers["webhook-signature"]} v1a,x ${two.headers["webhook-signature"]}`;
    expect(verifyWebhook({ ...two, headers: { ...two.headers, "webhook-signature": both } }).id).toBe(ID);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("names the header that is missing: %s", (name) => {
    const request = aRequest(paid);
    const without = { ...request, headers: { ...request.headers, [name]: undefined } };
    expect(faultOf(without)).toBe("missing_header");
    expect(() => verifyWebhook(without)).toThrow(name);
  });

  it("refuses another's signature, a changed body, id or time, and a signature of another version", () => {
    const request = aRequest(paid);
    const { headers } = request;
    const changed: readonly WebhookRequest[] = [
      aRequest(paid, { secret: OTHER }),
      { ...request, body: request.body.replace("25000", "1") },
      { ...request, body: `${request.body} ` },
      { ...request, body: `\uFEFF${request.body}` },
      { ...request, headers: { ...headers, "webhook-id": "other" } },
      { ...request, headers: { ...headers, "webhook-timestamp": String(NOW / 1000 + 1) } },
      { ...request, headers: { ...headers, "webhook-timestamp": `${NOW / 1000}.0` } },
      { ...request, headers: { ...headers, "webhook-timestamp": "Infinity" } },
      { ...request, headers: { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") } },
      { ...request, headers: { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, -1) } },
    ];
    expect(changed.map(faultOf)).toEqual(changed.map(() => "bad_signature"));
  });

  it("refuses a message from five minutes ago or ahead, or from as long as it is told", () => {
    expect(verifyWebhook(aRequest(paid, { at: NOW - 300_000 })).id).toBe(ID);
    expect(faultOf(aRequest(paid, { at: NOW - 301_000 }))).toBe("too_old");
    expect(faultOf(aRequest(paid, { at: NOW + 301_000 }))).toBe("too_new");
    expect(faultOf(aRequest(paid, { at: NOW - 11_000, toleranceSeconds: 10 }))).toBe("too_old");
    expect(faultOf(aRequest(paid, { at: NOW - 3_600_000, secret: OTHER }))).toBe("bad_signature");
  });

  it("uses the system's clock where it is given none", () => {
    const { now: _, ...request } = aRequest(paid, { at: Date.now() });
    expect(verifyWebhook(request).id).toBe(ID);
    const { now: __, ...old } = aRequest(paid, { at: Date.now() - 400_000 });
    expect(faultOf(old)).toBe("too_old");
  });

  it("says of an authentic message that it cannot read it, and why", () => {
    expect(faultOf(aRequest("not json"))).toBe("not_json");
    const large = JSON.stringify(paid).replace("25000", "90071992547409.93");
    expect(faultOf(aRequest(large))).toBe("inexact_sum");
    expect(faultOf(aRequest("null"))).toBe("unknown_event");
    expect(faultOf(aRequest({ ...paid, type: "payment.dreamt" }))).toBe("unknown_event");
    expect(faultOf(aRequest({ ...paid, type: "toString" }))).toBe("unknown_event");
    expect(faultOf(aRequest({ ...paid, data: { ...paid.data, amount: "25000" } }))).toBe("unknown_event");
  });

  it("reads an event with a field that it does not know yet", () => {
    expect(verifyWebhook(aRequest({ ...paid, data: { ...paid.data, later: true } })).type).toBe("payment.paid");
  });

  it("refuses to work without a secret", () => {
    expect(() => verifyWebhook(aRequest(paid, { secrets: [] }))).toThrow("at least one secret");
    expect(() => verifyWebhook(aRequest(paid, { secrets: [""] }))).toThrow("Secret can't be empty");
  });
});
