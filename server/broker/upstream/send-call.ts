import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import { urlToHttpOptions } from "node:url";
import { type Answer, answerOf, NoAnswerError, refusalOf, targetOf } from "../../../src/client.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import { documentOf } from "../../../src/fetch-without-redirects.ts";
import { redactedCause } from "../../../src/redacted-cause.ts";

/** The service's address, and the time for the whole of one call. */
export interface SenderOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
}

/** One call of an operation: its fields, its access token and its idempotency key. */
interface OutgoingCall {
  readonly fields: object;
  readonly token: string;
  readonly idempotencyKey: string | undefined;
}

/** Sends one call, once; throws the `ApiError` that was answered, `NoAnswerError` or `AnswerError`. */
export type SendCall = (row: Operation, call: OutgoingCall) => Promise<Answer<unknown>>;

interface Message {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Divides fields into those that the path names and the rest: the query of a read, or the body of a write. */
function messageOf(row: Operation, { fields, token, idempotencyKey }: OutgoingCall): Message {
  const named = new Set(row.path.split("/").flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : [])));
  const { params = [], rest = [] } = Object.groupBy(Object.entries(fields), ([name]) =>
    named.has(name) ? "params" : "rest",
  );
  const isRead = row.method === "GET";
  const body = isRead ? undefined : JSON.stringify(Object.fromEntries(rest));
  const length = body === undefined ? {} : { "content-type": "application/json", "content-length": lengthOf(body) };
  return {
    path: targetOf(row, { params: Object.fromEntries(params), query: isRead ? Object.fromEntries(rest) : {} }),
    headers: {
      accept: "application/json",
      // The pages of the broker draw codes by themselves, and no operation passes a user's history.
      prefer: "return=minimal",
      authorization: `Bearer ${token}`,
      "user-agent": "cupo",
      ...length,
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    body,
  };
}

function lengthOf(text: string): string {
  return String(Buffer.byteLength(text));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failWith(message: string): (error: unknown) => never {
  return (error) => {
    throw new NoAnswerError(message, { cause: redactedCause(error) });
  };
}

/**
 * Makes the function that sends calls to the service over connections that are kept. It follows no redirect, so that
 * the token goes to the configured host and nowhere else. docs/performance.md has why it is none of the platform's.
 */
export function createSender({ baseUrl, timeoutMs }: SenderOptions): SendCall {
  const base = new URL(`${baseUrl.replace(/\/$/, "")}/`);
  const address = urlToHttpOptions(base);
  const isTls = base.protocol === "https:";
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true });
  const request = isTls ? requestHttps : requestHttp;

  function exchange({ method }: Operation, { path, headers, body }: Message): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...address, path: `${base.pathname}${path}`, method, headers, agent }, resolve);
      const timer = setTimeout(
        () => outgoing.destroy(new DOMException("no answer in time", "TimeoutError")),
        timeoutMs,
      );
      outgoing.on("close", () => clearTimeout(timer));
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  return async (row, call) => {
    const incoming = await exchange(row, messageOf(row, call)).catch(failWith("no answer"));
    const text = await textOf(incoming).catch(failWith("the answer broke off"));
    const { statusCode: status = 0 } = incoming;
    if (status >= 300 && status < 400) throw new NoAnswerError("the answer is a redirect");
    const headers = headersOf(incoming);
    if (status < 200 || status >= 300) throw refusalOf({ status, headers }, documentOf(status, parsed(text)));
    return answerOf(row, { status, headers, text });
  };
}
