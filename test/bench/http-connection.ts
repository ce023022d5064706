import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as far as a load generator cares. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const TIMEOUT_MS = 30_000;
const HEAD_END = "\r\n\r\n";
const STATUS = /^HTTP\/1\.1 (\d{3})/;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * A keep-alive connection that carries one request at a time (RFC 9112). Node's own client uses several times as much
 * of the processor, which the service would be missing. An answer must have a Content-Length; one without fails.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received = "";
  #waiting: PromiseWithResolvers<HttpAnswer> | undefined;
  #broken: Error | undefined;

  /** Connects to a port of the loopback interface. */
  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await once(socket, "connect");
    return new HttpConnection(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    // One character per byte, so that lengths agree.
    socket.setEncoding("latin1");
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    socket.on("data", (chunk: string) => this.#receive(chunk));
    socket.on("error", (error) => this.#break(error));
    socket.on("close", () => this.#break(new Error("the service closed the connection")));
  }

  /** Posts JSON; `headers` are whole lines, each with its line end. */
  post(path: string, headers: string, body: string): Promise<HttpAnswer> {
    const waiting = Promise.withResolvers<HttpAnswer>();
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    this.#waiting = waiting;
    const length = Buffer.byteLength(body);
    const fixed = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
    this.#socket.write(`POST ${path} HTTP/1.1\r\n${fixed}${headers}\r\n${body}`);
    return waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const [, status] = STATUS.exec(head) ?? [];
    const [, length] = CONTENT_LENGTH.exec(head) ?? [];
    if (status === undefined || length === undefined) {
      this.#socket.destroy(new Error(`an answer without status or length: ${head}`));
      return;
    }
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(length);
    if (this.#received.length < bodyEnd) return;
    const body = this.#received.slice(bodyStart, bodyEnd);
    this.#received = this.#received.slice(bodyEnd);
    this.#waiting?.resolve({ status: Number(status), body });
    this.#waiting = undefined;
  }

  #break(error: Error): void {
    this.#broken ??= error;
    this.#waiting?.reject(this.#broken);
    this.#waiting = undefined;
  }
}
