import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as the stub saw it. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** The stub's answer to one request: status, JSON or text, headers. */
interface StubAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection instead of answering. */
  readonly cut?: boolean;
}

/** A small upstream over real HTTP: a token endpoint whose tokens can be withdrawn, and routes that a test scripts. */
export interface StubUpstream {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Every request but those for tokens. */
  readonly seen: SeenRequest[];
  tokensIssued(): number;
  /** Refuses all tokens issued so far, from now on. */
  withdrawTokens(): void;
  /** Sets the answer of the token endpoint in place of a token; undefined: tokens again. */
  refuseTokens(answer: StubAnswer | undefined): void;
  /** Sets the lifetime that new tokens state, in seconds. */
  tokenLife(seconds: number): void;
  on(path: string, answer: (request: SeenRequest) => StubAnswer | Promise<StubAnswer>): void;
  close(): Promise<void>;
}

function send(response: ServerResponse, { status = 200, body = {}, headers = {}, cut = false }: StubAnswer): void {
  if (cut) {
    response.destroy();
    return;
  }
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts one; call `close` when done. */
export async function aStubUpstream(): Promise<StubUpstream> {
  const [clientId, clientSecret] = ["stub-client", "stub-secret-that-nobody-may-see"];
  const routes = new Map<string, (request: SeenRequest) => StubAnswer | Promise<StubAnswer>>();
  const seen: SeenRequest[] = [];
  let issued = 0;
  let oldest = 1;
  let life = 3600;
  let refusal: StubAnswer | undefined;

  async function answer(request: SeenRequest): Promise<StubAnswer> {
    if (request.path === "/oauth2/token") {
      issued += 1;
      // Long enough that everyone who was refused asks while this one is under way.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return refusal ?? { body: { access_token: `token-${issued}`, token_type: "Bearer", expires_in: life } };
    }
    seen.push(request);
    const number = Number(/^Bearer token-(\d+)$/.exec(request.headers.authorization ?? "")?.[1] ?? 0);
    const isPublic = request.path.startsWith("/.well-known/");
    if (number < oldest && !isPublic)
      return { status: 401, body: { code: "unauthorized", secret: "upstream's own words" } };
    return (await routes.get(request.path)?.(request)) ?? { status: 404, body: { code: "not_found" } };
  }

  const server = createServer(async (incoming, response) => {
    const path = new URL(incoming.url ?? "/", "http://stub").pathname;
    const { method = "GET", headers } = incoming;
    send(response, await answer({ method, path, headers, body: await bodyOf(incoming) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clientId, clientSecret, seen },
    tokensIssued: () => issued,
    withdrawTokens: () => {
      oldest = issued + 1;
    },
    refuseTokens: (given) => {
      refusal = given;
    },
    tokenLife: (seconds) => {
      life = seconds;
    },
    on: (path, handler) => routes.set(path, handler),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
