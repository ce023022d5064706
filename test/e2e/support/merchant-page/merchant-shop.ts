import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Client, createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import { SHOP_SCRIPTS, SHOP_STYLE } from "./shop-scripts.ts";

/** The price of every order of the shop. */
export const PRICE = 5_000;
/** The most that the till may sell at once. */
const MOST_OF_ONE = 50_000;

/** A till's name that is markup: to be shown as it is written. */
export const HOSTILE_TILL = "<b onclick=hacked=1>Caja</b>";

/** A page of the shop: what is in it, and how strict it is. */
export interface ShopPage {
  /** Everything in the head past the usual. */
  readonly head: string;
  readonly body: string;
  /** Attributes of the root element. */
  readonly root?: string;
  /** Names of Trusted Types policies that the page's own scripts need beside ours. */
  readonly policies?: readonly string[];
  /** Shown in a sandbox, and so of the origin `null`. */
  readonly sandboxed?: boolean;
}

/** The broker that the shop uses, and its own port and scripts. */
interface ShopOptions {
  readonly broker: string;
  readonly port: number;
  /** Names of scripts beside {@link SHOP_SCRIPTS}, with their code. */
  readonly scripts: Readonly<Record<string, string>>;
}

type Sessions = Client<typeof merchantContract>;

/** A merchant's server on a port of its own: strict pages, and a backend that starts sessions with its server key. */
export class MerchantShop {
  readonly origin: string;
  readonly broker: string;
  readonly #server: Server;
  readonly #scripts: Readonly<Record<string, string>>;
  readonly #pages = new Map<string, ShopPage>();
  readonly #started = new Map<string, string>();
  #sessions: Sessions | undefined;

  private constructor({ broker, port, scripts }: ShopOptions) {
    this.origin = `http://localhost:${port}`;
    this.broker = broker;
    this.#scripts = { ...SHOP_SCRIPTS, ...scripts };
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Listens on a port. */
  static async listen(options: ShopOptions): Promise<MerchantShop> {
    const shop = new MerchantShop(options);
    await new Promise<void>((done) => shop.#server.listen(options.port, "127.0.0.1", done));
    return shop;
  }

  /** Gives its backend this server key. */
  use(serverKey: string): void {
    const headers = () => ({ authorization: `Bearer ${serverKey}` });
    this.#sessions = createClient(merchantContract, { baseUrl: this.broker, headers });
  }

  /** Adds a page with an order of its own; returns its path. */
  show(page: ShopPage): string {
    const path = `/page-${this.#pages.size + 1}`;
    this.#pages.set(path, page);
    return path;
  }

  /** Asks the broker for the status of a page's order: only so does a shop know it for certain. */
  async orderOf(path: string) {
    const session_id = this.#started.get(path.slice(1)) ?? "";
    return (await this.#backend.sessionStatus({ params: { session_id } })).body;
  }

  /** Starts a payment session for pages of this shop; returns its token, as a page gets it. */
  async startPayment(order: string): Promise<string> {
    const body = { kind: "pay" as const, amount: PRICE, order, origin: this.origin };
    const { session, session_id } = (await this.#backend.createSession({ body })).body;
    this.#started.set(order, session_id);
    return session;
  }

  /** Closes the server and every open connection. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    await closed;
  }

  get #backend(): Sessions {
    if (this.#sessions === undefined) throw new Error("the shop has no server key yet");
    return this.#sessions;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    try {
      if (request.method === "POST") {
        send(response, "application/json", JSON.stringify({ session: await this.#session(url) }));
      } else this.#file(response, url.pathname);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  }

  async #session({ pathname, searchParams }: URL): Promise<string> {
    if (pathname === "/session/pay") return this.startPayment(searchParams.get("order") ?? "");
    const { origin } = this;
    const user = searchParams.get("user");
    const grant = searchParams.get("grant") ?? "";
    const quota = { kind: "quota" as const, origin, ...(user === null ? { grant } : { user }) };
    const till = { kind: "recharge" as const, origin, till: HOSTILE_TILL, max_amount: MOST_OF_ONE };
    return (await this.#backend.createSession({ body: pathname === "/session/till" ? till : quota })).body.session;
  }

  #file(response: ServerResponse, path: string): void {
    const page = this.#pages.get(path);
    const script = this.#scripts[path.slice(1)];
    if (page !== undefined) this.#page(response, path, page);
    else if (path === "/shop.css") send(response, "text/css", SHOP_STYLE);
    else if (script !== undefined) send(response, "text/javascript", script);
    else response.writeHead(404).end();
  }

  #page(response: ServerResponse, path: string, page: ShopPage): void {
    response.setHeader("Content-Security-Policy", policyOf(this.broker, page));
    const body = page.body.replaceAll("{order}", path.slice(1));
    const head = `<meta charset="utf-8"><title>Tienda</title><link rel="stylesheet" href="/shop.css">${page.head}`;
    const start = `<!doctype html><html lang="es" ${page.root ?? ""}><head>${head}</head>`;
    send(response, "text/html; charset=utf-8", `${start}<body>${body}</body></html>`);
  }
}

/** Returns the policy that a careful shop sends with each page, exactly as the guide has it. */
function policyOf(broker: string, { policies = [], sandboxed = false }: ShopPage): string {
  const own = ["cupo", ...policies].join(" ");
  return (
    `default-src 'none'; script-src 'self' ${broker}; style-src 'self'; connect-src 'self' ${broker}; ` +
    `require-trusted-types-for 'script'; trusted-types ${own}${sandboxed ? "; sandbox allow-scripts" : ""}`
  );
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "content-type": type }).end(body);
}
