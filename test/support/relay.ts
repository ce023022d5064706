import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { type LineSpeed, SlowLine } from "./slow-line.ts";

/** A TCP proxy between a client and a server, which a test may break. */
export interface Relay {
  readonly port: number;
  /** Resets every connection (RST), as a failover does. */
  reset(): void;
  close(): Promise<void>;
}

/** The port of a relay, unless any free one will do, and the speed of its network, unless that is the machine's own. */
interface RelayOptions {
  readonly port?: number;
  readonly speed?: LineSpeed;
}

/** Passes connections on to a local port: `const relay = await aRelay(serverPort)`. */
export async function aRelay(target: number, { port = 0, speed }: RelayOptions = {}): Promise<Relay> {
  const lines = speed === undefined ? undefined : { up: new SlowLine(speed), down: new SlowLine(speed) };
  const clients = new Set<Socket>();
  const relay = createServer((client) => {
    const server = createConnection(target, "127.0.0.1");
    clients.add(client);
    client.on("close", () => clients.delete(client) && server.destroy()).on("error", () => server.destroy());
    server.on("close", () => client.destroy()).on("error", () => client.destroy());
    if (lines === undefined) client.pipe(server).pipe(client);
    else client.pipe(lines.up.connection()).pipe(server).pipe(lines.down.connection()).pipe(client);
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
