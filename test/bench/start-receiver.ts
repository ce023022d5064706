import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that accepts every webhook message and counts them. */
interface Receiver {
  readonly url: string;
  messages(): number;
  close(): void;
}

const ACCEPTED = 204;

/** Starts a receiver on a free port of the loopback interface. */
export async function startReceiver(): Promise<Receiver> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    response.writeHead(ACCEPTED).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, messages: () => count, close };
}
