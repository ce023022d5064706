import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** A message as a receiver got it. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

/** A receiver's answer: a status, perhaps with a `location`, no answer at all, or 200 with a body without end. */
type Answer = number | { readonly status: number; readonly location: string } | "silence" | "endless";

/** A real HTTP server that takes webhooks as it is told to. */
export interface WebhookReceiver {
  readonly url: string;
  /** Everything that arrived, whatever was answered, in order. */
  readonly received: Received[];
  /** The messages that were answered 2xx. */
  readonly accepted: Received[];
  /** Returns the answer to each of the next messages. */
  answer: (message: Received) => Answer | Promise<Answer>;
  /** Bytes of bodies without end that the other side took. */
  endlessBytes(): number;
  /** The number of connections so far, whatever was sent on them. */
  connections(): number;
  /** Takes no more connections until {@link WebhookReceiver.start}. */
  down(): Promise<void>;
  start(): Promise<void>;
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

const PART = Buffer.alloc(64 * 1024, "x");

/** Writes for as long as the other side takes it; reports each part that was sent. */
function writeWithoutEnd(response: ServerResponse, onPart: (bytes: number) => void): void {
  const writeNext = () => {
    if (response.destroyed) return;
    response.write(PART, (error) => {
      if (error) return;
      onPart(PART.length);
      setImmediate(writeNext);
    });
  };
  response.writeHead(200);
  writeNext();
}

/** Starts a receiver on a free port; it accepts everything until it is told otherwise. */
export async function aReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const accepted: Received[] = [];
  let endless = 0;
  let connections = 0;
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const headers = headersOf(request);
    const message = { id: headers["webhook-id"] ?? "", headers, body, event: JSON.parse(body) as Received["event"] };
    received.push(message);
    const answer = await receiver.answer(message);
    if (answer === "silence") return;
    if (answer === "endless") {
      accepted.push(message);
      return writeWithoutEnd(response, (bytes) => {
        endless += bytes;
      });
    }
    const status = typeof answer === "number" ? answer : answer.status;
    if (status >= 200 && status < 300) accepted.push(message);
    response.writeHead(status, typeof answer === "number" ? {} : { location: answer.location });
    response.end("read, but not used");
  }
  const server = createServer((request, response) => void take(request, response));
  server.on("connection", () => {
    connections += 1;
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/events`,
    received,
    accepted,
    answer: () => 204,
    endlessBytes: () => endless,
    connections: () => connections,
    down: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () => listen(port),
  };
  return receiver;
}

/** How often each `webhook-id` was seen. */
export function timesById(messages: readonly Received[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { id } of messages) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

/** Returns why the reference library refuses a message's signature by the secret; undefined if it accepts it. */
export function signatureFault(secret: string, { body, headers }: Received): string | undefined {
  try {
    new Webhook(secret).verify(body, headers);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
