import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One request of a script, and what is taken out of its answer. */
export interface Request {
  readonly head: string;
  readonly body: string;
  readonly takes: [name: string, mark: string][];
}

/** A script. */
export interface Script {
  readonly weight: number;
  readonly requests: Request[];
}

/** The orders, as they are read. */
export interface Orders {
  readonly settings: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly scripts: readonly Script[];
}

/** An answer; its text has head and body. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

type Reply = PromiseWithResolvers<Answer>;

/** A connection with what it drew from lists, took from answers, and sent last. */
export interface Connection {
  readonly exchange: (request: string) => Promise<Answer>;
  readonly drawn: Map<string, number>;
  readonly taken: Map<string, string>;
  number: number;
  last: { readonly request: string; readonly script: number } | undefined;
}

const HEAD_END = "\r\n\r\n";

/** Reads the orders of run-load.ts. */
export function readOrders(lines: readonly string[]): Orders {
  const settings = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const scripts: Script[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, order = "", value = ""] = /^(\S*) ?(.*)$/.exec(lines[at] ?? "") ?? [];
    if (order === "list") {
      const [name = "", count = ""] = value.split(" ");
      lists.set(name, lines.slice(at + 1, at + 1 + Number(count)));
      at += Number(count);
    } else if (order === "script") {
      scripts.push({ weight: Number(value), requests: [] });
    } else if (order === "request") {
      const empty = lines.indexOf("", at);
      const head = lines.slice(at + 1, empty).join("\r\n");
      scripts.at(-1)?.requests.push({ head, body: lines[empty + 1] ?? "", takes: [] });
      at = empty + 1;
    } else if (order === "take") {
      const [, name = "", mark = ""] = /^(\S+) (.*)$/.exec(value) ?? [];
      scripts.at(-1)?.requests.at(-1)?.takes.push([name, mark]);
    } else settings.set(order, value);
  }
  return { settings, lists, scripts };
}

/** Opens a connection. */
export async function openSocket(port: number): Promise<Connection> {
  const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  // One character per byte, so that lengths agree.
  socket.setEncoding("latin1");
  let received = "";
  let waiting: Reply | undefined;
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the service closed a connection")));
  socket.on("data", (chunk: string) => {
    received += chunk;
    const end = received.indexOf(HEAD_END);
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
    if (received.length < end + HEAD_END.length + length) return;
    const answer = { status: Number(received.slice(9, 12)), text: received };
    received = "";
    waiting?.resolve(answer);
  });
  const exchange = (request: string): Promise<Answer> => {
    waiting = Promise.withResolvers();
    socket.write(request);
    return waiting.promise;
  };
  return { exchange, drawn: new Map(), taken: new Map(), number: 0, last: undefined };
}

/** A whole number from 0, below a bound. */
export const below = (bound: number): number => Math.floor(Math.random() * bound);

/** Writes requests: each placeholder by its words, as README.md has them. */
export function requestWriter({ settings, lists }: Orders) {
  let keys = 0;
  const replacementOf = ({ drawn, taken, number }: Connection, words: string): string => {
    const [first = "", how, other = ""] = words.split(" ");
    if (first === "key") return `${settings.get("key")}-${++keys}`;
    if (first === "sequence") return String(Number(how) + number);
    const range = /^(\d+)-(\d+)$/.exec(first);
    if (range !== null) return String(Number(range[1]) + below(Number(range[2]) - Number(range[1]) + 1));
    const value = taken.get(first);
    if (value !== undefined) return value;
    const items = lists.get(first) ?? [];
    const own = drawn.get(first) ?? 0;
    if (how === "other") return items[(own + 1 + below(items.length - 1)) % items.length] ?? "";
    if (how === "like") return items[(drawn.get(other) ?? 0) % items.length] ?? "";
    drawn.set(first, below(items.length));
    return items[drawn.get(first) ?? 0] ?? "";
  };
  return (connection: Connection, { head, body }: Request): string => {
    const fill = (template: string) =>
      template.replaceAll(/<([^>]+)>/g, (_, words) => replacementOf(connection, words));
    const [lines, content] = [fill(head), fill(body)];
    const length = body === "" ? "" : `\r\nContent-Length: ${Buffer.byteLength(content)}`;
    return `${lines}${length}${HEAD_END}${content}`;
  };
}

/** Draws a script by its weight. */
export function drawScript(scripts: readonly Script[]): number {
  let rest = below(scripts.reduce((sum, { weight }) => sum + weight, 0));
  for (const [index, { weight }] of scripts.entries()) {
    if (rest < weight) return index;
    rest -= weight;
  }
  return 0;
}
