import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** When the line breaks at a call: before the server gets the request, or after it has answered. */
type Break = "before" | "after";

/** A proxy between broker and service that can break the connection at one call of a path. */
export interface FaultyProxy {
  readonly port: number;
  /** Breaks the first call of the path from now on, and calls `then` at that moment; resolves when that is done. */
  breakAt(path: string, when: Break, then: () => void): Promise<void>;
  close(): Promise<void>;
}

interface Trap {
  readonly path: string;
  readonly when: Break;
  readonly spring: () => void;
}

/** Starts a proxy that forwards HTTP calls unchanged to a local port. */
export async function aFaultyLine(target: number): Promise<FaultyProxy> {
  let trap: Trap | undefined;

  function caught(call: IncomingMessage, when: Break): boolean {
    if (trap === undefined || call.url !== trap.path || when !== trap.when) return false;
    const { spring } = trap;
    trap = undefined;
    spring();
    call.socket.destroy();
    return true;
  }

  function pass(call: IncomingMessage, answer: ServerResponse): void {
    if (caught(call, "before")) return;
    const { method, url: path, headers } = call;
    const onward = request({ host: "127.0.0.1", port: target, method, path, headers, agent: false }, (answered) => {
      if (caught(call, "after")) return;
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onward.on("error", () => call.socket.destroy());
    call.pipe(onward);
  }

  const server = createServer(pass);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return {
    port: address.port,
    breakAt: (path, when, then) =>
      new Promise((sprung) => {
        trap = {
          path,
          when,
          spring: () => {
            then();
            sprung();
          },
        };
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
