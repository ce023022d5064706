import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

/** A TCP proxy between a client and a server, which a test may break. */
export interface Relay {
  readonly port: number;
  /** Resets every connection (RST), as a failover does. */
  reset(): void;
  close(): Promise<void>;
}

/** Passes connections on to a local port: `const relay = await aRelay(serverPort)`. Its own is free unless given. */
export async function aRelay(target: number, port = 0): Promise<Relay> {
  const clients = new Set<Socket>();
  const relay = createServer((client) => {
    const server = createConnection(target, "127.0.0.1");
    clients.add(client);
    client.on("close", () => clients.delete(client) && server.destroy()).on("error", () => server.destroy());
    server.on("close", () => client.destroy()).on("error", () => client.destroy());
    client.pipe(server).pipe(client);
  });
  await once(relay.listen(port, "127.0.0.1"), "listening");
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  const reset = (): void => {
    for (const client of clients) client.resetAndDestroy();
  };
  return {
    port: address.port,
    reset,
    close: async () => {
      reset();
      relay.close();
      await once(relay, "close");
    },
  };
}
