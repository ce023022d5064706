import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type Client, createClient } from "../../../src/client.ts";
import { type ServiceContract, serviceContract } from "../../../src/contract/service/service.ts";
import type { Demo } from "./product.ts";

/** A QR as a merchant's own system makes one. */
export interface MadeQr {
  readonly reference: string;
  readonly payload: string;
  readonly check_code: string;
}

async function accessToken({ auth_url, client_id, client_secret }: Demo): Promise<string> {
  const response = await fetch(`${auth_url}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id, client_secret }),
  });
  if (!response.ok) throw new Error(`no access token: ${response.status}`);
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

/** The service as the demo's API client reaches it; tests compare a page's figures with its answers. */
export class ServiceApi {
  readonly #demo: Demo;
  readonly #token: string;
  readonly client: Client<ServiceContract>;

  private constructor(demo: Demo, token: string) {
    this.#demo = demo;
    this.#token = token;
    const headers = () => ({ authorization: `Bearer ${token}` });
    this.client = createClient(serviceContract, { baseUrl: demo.base_url, headers });
  }

  /** Gets a token and is ready. */
  static async of(demo: Demo): Promise<ServiceApi> {
    return new ServiceApi(demo, await accessToken(demo));
  }

  /** Returns the available quota of Ana and of the shop. */
  async balances(): Promise<{ readonly payer: number; readonly merchant: number }> {
    const { payer, merchant } = this.#demo.users;
    return { payer: await this.#available(payer.id), merchant: await this.#available(merchant.id) };
  }

  async #available(id: string): Promise<number> {
    const { quota_available: available } = (await this.client.user({ query: { id } })).body;
    if (available === null) throw new Error("the demo's own client sees what its users have");
    return available;
  }

  /** Counts the approved transactions of a reference, which are those that were really posted. */
  async approvedOf(reference: string): Promise<number> {
    const { payer } = this.#demo.users;
    const query = { "user-id": payer.id, direction: "sent", limit: "500" } as const;
    const { body } = await this.client.transactionHistory({ query });
    return body.filter((payment) => payment.reference === reference && payment.status === "approved").length;
  }

  /** A QR to pay the shop, unless `fields` say otherwise. */
  async makeQr(fields: Readonly<Record<string, unknown>> = {}): Promise<MadeQr> {
    return (await this.#make("application/json", fields)).json() as Promise<MadeQr>;
  }

  /** The service's own picture of a new QR, and the payload's reference from the headers. */
  async makeQrImage(
    mediaType: "image/png" | "image/svg+xml",
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly reference: string; readonly image: Buffer }> {
    const response = await this.#make(mediaType, fields);
    return {
      reference: response.headers.get("payment-reference") ?? "",
      image: Buffer.from(await response.arrayBuffer()),
    };
  }

  /** Begins to make a QR: resolves once the service has read the request's headers, to a function that completes it. */
  async beginQr(): Promise<() => Promise<number | undefined>> {
    const { base_url, users } = this.#demo;
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const begun = request(`${base_url}/create-transaction-qr`, {
      method: "POST",
      headers: { ...headers, expect: "100-continue", connection: "close" },
    });
    begun.flushHeaders();
    await once(begun, "continue");
    return async () => {
      begun.end(JSON.stringify({ to_user_id: users.merchant.id, amount: 1_000 }));
      const [response] = (await once(begun, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      return response.statusCode;
    };
  }

  async #make(accept: string, fields: Readonly<Record<string, unknown>>): Promise<Response> {
    const { base_url, users } = this.#demo;
    const response = await fetch(`${base_url}/create-transaction-qr`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json", accept },
      body: JSON.stringify({ to_user_id: users.merchant.id, amount: 1_000, ...fields }),
    });
    if (response.status !== 201) throw new Error(`no QR: ${response.status} ${await response.text()}`);
    return response;
  }
}
