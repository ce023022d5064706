import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** The address of the proxy's own page, which frames the address of its query. */
const FRAME = "/framed?";
/** The script that every page runs first, and the address to which it reports. */
const [WATCH, FAULTS] = ["/watch-faults.js", "/faults"];

/** The width of the narrowest page there is, and the height of a small phone, in px. */
const STYLE = "width:320px;height:600px;border:0";

/** A proxy before the product, for a browser in which no driver runs a script before those of a page. */
export interface PageProxy {
  /** The origin that the browser sees; the product's `CUPO_PUBLIC_ORIGIN`. */
  readonly origin: string;
  /** Returns the address of a page that shows a path of the product in a frame of its own origin, 320 px wide. */
  narrow(path: string): string;
  /** Returns the errors of all pages, and the violations of their policy, since the last call. */
  takeFaults(): readonly string[];
  close(): Promise<void>;
}

/** Runs in the page before its own scripts: reports its errors, and violations of its policy. */
function watchFaults(address: string): void {
  let isLeft = false;
  // Leaving a page cancels what it loads, which is an error of a worker's script.
  addEventListener("beforeunload", () => {
    isLeft = true;
  });
  const report = (fault: string): void => {
    if (!isLeft) navigator.sendBeacon(address, `${location.pathname}: ${fault}`);
  };
  addEventListener("error", ({ message }) => report(message));
  addEventListener("unhandledrejection", ({ reason }) => report(String(reason)));
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    report(`violation of ${effectiveDirective}: ${blockedURI}`);
  });
}

/** Answers with the product's page, which may be framed by its own origin and runs {@link watchFaults} first. */
async function sendWatched(answered: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { "content-length": _length, "content-security-policy": policy = "", ...headers } = answered.headers;
  const framed = String(policy).replace("frame-ancestors 'none'; ", "");
  const page = (await text(answered)).replace("<head>", `<head><script src="${WATCH}"></script>`);
  answer.writeHead(answered.statusCode ?? 502, { ...headers, "content-security-policy": framed });
  answer.end(page);
}

function forward(port: number, call: IncomingMessage, answer: ServerResponse): void {
  const { method, url } = call;
  const { "accept-encoding": _encodings, ...sent } = call.headers;
  // The demo answers whoever asks for its own port.
  const headers = { ...sent, host: `localhost:${port}` };
  const onward = request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (answered) => {
    if (answered.headers["content-type"]?.startsWith("text/html"))
      return void sendWatched(answered, answer).catch(() => answer.destroy());
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  call.pipe(onward);
}

/** Starts one at a port of its own, before the product at `productPort`, which may start later. */
export async function aPageProxy(productPort: number): Promise<PageProxy> {
  const faults: string[] = [];
  const own = async (call: IncomingMessage, answer: ServerResponse): Promise<void> => {
    if (call.url === FAULTS) faults.push(await text(call));
    const isScript = call.url === WATCH;
    const framed = decodeURIComponent(call.url?.slice(FRAME.length) ?? "");
    const frame = `<!doctype html><title>Narrow</title><iframe src="${framed}" style="${STYLE}"></iframe>`;
    answer.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    answer.end(isScript ? `(${watchFaults})("${FAULTS}")` : frame);
  };
  const server = createServer((call, answer) => {
    const { url = "" } = call;
    if (url === WATCH || url === FAULTS || url.startsWith(FRAME)) void own(call, answer);
    else forward(productPort, call, answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { readonly port: number };
  const origin = `http://localhost:${port}`;
  return {
    origin,
    narrow: (path) => `${origin}${FRAME}${encodeURIComponent(path)}`,
    takeFaults: () => faults.splice(0),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
