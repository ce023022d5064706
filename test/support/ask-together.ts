import { Agent, type IncomingMessage, request } from "node:http";

/** The system spreads connections at random: so many leave no thread without one. */
export const CONNECTIONS = 32;

/** An answer with its whole body. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request over a connection of its own. */
export function ask(url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: new Agent(), headers: { ...headers, connection: "close" } });
    sent.on("error", reject).on("response", async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends a request at the same time over each of {@link CONNECTIONS} connections. */
export function askTogether(url: string, asked?: Asked): Promise<Answered[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => ask(url, asked)));
}

/** An access token of an API client. */
export async function tokenOf(client: {
  readonly auth_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}): Promise<string> {
  const body = { client_id: client.client_id, client_secret: client.client_secret };
  const headers = { "content-type": "application/json" };
  const answered = await ask(`${client.auth_url}/oauth2/token`, { method: "POST", headers, body });
  return (JSON.parse(answered.body) as { access_token: string }).access_token;
}
