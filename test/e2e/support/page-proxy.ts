import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Product } from "./product.ts";

/** The address of the proxy's own page, which frames the address of its query. */
const FRAME = "/framed?";

/** The width of the narrowest page there is, and the height of a small phone, in px. */
const STYLE = "width:320px;height:600px;border:0";

/** A proxy before the product whose pages may be framed. */
export interface FramingProxy {
  /** Returns the address of a page that shows a path of the product in a frame of its own origin, 320 px wide. */
  narrow(path: string): string;
  close(): Promise<void>;
}

function sendFrame(path: string, answer: ServerResponse): void {
  answer.writeHead(200, { "content-type": "text/html" });
  answer.end(`<!doctype html><title>Narrow</title><iframe src="${path}" style="${STYLE}"></iframe>`);
}

function forward({ place, origin }: Pick<Product, "place" | "origin">, call: IncomingMessage, answer: ServerResponse) {
  const { method, url, headers } = call;
  const own = { ...headers, host: new URL(origin).host, ...(headers.origin === undefined ? {} : { origin }) };
  const onward = request(
    { host: "127.0.0.1", port: place.port, method, path: url, headers: own, agent: false },
    (answered) => {
      const policy = answered.headers["content-security-policy"];
      const framed = String(policy).replace("frame-ancestors 'none'; ", "");
      const changed = policy === undefined ? {} : { "content-security-policy": framed };
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...changed });
      answered.pipe(answer);
    },
  );
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  call.pipe(onward);
}

/** Starts it: a window of WebKitGTK is never as narrow as a phone, and the product's pages forbid to be framed. */
export async function aFramingProxy(product: Pick<Product, "place" | "origin">): Promise<FramingProxy> {
  const server = createServer((call, answer) => {
    const { url = "" } = call;
    if (url.startsWith(FRAME)) sendFrame(url.slice(FRAME.length), answer);
    else forward(product, call, answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    narrow: (path) => `http://localhost:${port}${FRAME}${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
