import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { DeliveryError } from "../../src/contract/service/webhooks.ts";
import { AddressRefusedError, guardedLookup, literalAddress, type WebhookNetwork } from "./webhook-network.ts";

/** A signed message on its way to a receiver: JSON, where its headers do not say otherwise. */
interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * The outcome of one attempt to send a message: accepted (2xx), refused (any other answer, or none: `error` says why),
 * or stopped, so that its arrival is unknown and it is sent again.
 */
export type DeliveryOutcome =
  | { readonly type: "accepted"; readonly status: number }
  | { readonly type: "refused"; readonly status: number | null; readonly error: DeliveryError }
  | { readonly type: "stopped" };

/** Sends messages to webhooks; connections to a receiver are kept for the next message. */
export interface Sender {
  send(outgoing: Outgoing, stopped: AbortSignal): Promise<DeliveryOutcome>;
  /** Ends the connections that are kept. */
  close(): void;
}

/** Options of {@link createSender}. */
export interface SenderOptions {
  readonly network: WebhookNetwork;
  /** For the whole exchange, the look-up of the name included. */
  readonly timeoutMs: number;
  /** How long an idle connection is kept: receivers are many, and close none of their own accord. Default: 15 s. */
  readonly keptMs?: number;
}

const KEPT_MS = 15_000;
/** Of an answer's body nothing is used: past this the connection is cut rather than read to its end. */
const MOST_BODY_BYTES = 16 * 1024;
const USER_AGENT = "Cupo-Webhooks/1";
const GONE = 410;

/** System calls of look-ups, as Node names them. */
const NAME_CALL = /^(?:query|getaddrinfo)/;
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

class TimedOutError extends Error {
  override readonly name = "TimedOutError";
}
class StoppedError extends Error {
  override readonly name = "StoppedError";
}

function wordOf(error: unknown, name: "code" | "syscall"): string {
  const word: unknown = Reflect.get(Object(error), name);
  return typeof word === "string" ? word : "";
}

function failureOf(error: unknown): DeliveryOutcome {
  if (error instanceof StoppedError) return { type: "stopped" };
  const refused = (reason: DeliveryError): DeliveryOutcome => ({ type: "refused", status: null, error: reason });
  if (error instanceof TimedOutError) return refused("timed_out");
  if (error instanceof AddressRefusedError) return refused("address_refused");
  if (NAME_CALL.test(wordOf(error, "syscall"))) return refused("not_resolved");
  return refused(TLS_CODE.test(wordOf(error, "code")) ? "tls_failed" : "not_connected");
}

function outcomeOf(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { type: "accepted", status };
  if (status >= 300 && status < 400) return { type: "refused", status, error: "redirected" };
  return { type: "refused", status, error: status === GONE ? "gone" : "refused" };
}

/** Drains an answer, so that its connection can be used again, and no more of it than is worth that. */
function readPast(response: IncomingMessage, done: () => void): void {
  let bytes = 0;
  response.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  response.on("error", done);
  response.on("close", done);
}

/** Resolves to the outcome by the answer's status once its body is drained, or to the failure without an answer. */
function outcomeFrom(request: ClientRequest, timeoutMs: number, stopped: AbortSignal): Promise<DeliveryOutcome> {
  return new Promise((resolve) => {
    let known: DeliveryOutcome | undefined;
    const stop = () => giveUp(new StoppedError());
    const timer = setTimeout(() => giveUp(new TimedOutError()), timeoutMs);
    const finish = (outcome: DeliveryOutcome) => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", stop);
      resolve(outcome);
    };
    // A request whose connection is gone already emits nothing when it is destroyed: nothing waits for that.
    const giveUp = (error: Error) => {
      request.destroy(error);
      finish(known ?? failureOf(error));
    };
    stopped.addEventListener("abort", stop, { once: true });
    request.on("response", (response) => {
      const outcome = outcomeOf(response.statusCode ?? 0);
      known = outcome;
      readPast(response, () => finish(outcome));
    });
    // Without a listener, an upgrade would end the connection without an outcome.
    request.on("upgrade", ({ statusCode = 0 }, socket) => {
      socket.destroy();
      finish(outcomeOf(statusCode));
    });
    request.on("error", (error) => finish(known ?? failureOf(error)));
  });
}

/**
 * Makes the sender of one process. It connects only to addresses that the network permits, or that are our own, and
 * follows no redirects.
 */
export function createSender({ network, timeoutMs, keptMs = KEPT_MS }: SenderOptions): Sender {
  const kept = { keepAlive: true, timeout: keptMs };
  const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };

  function begin(url: URL, isOwn: boolean, headers: Record<string, string>): ClientRequest {
    const { protocol } = url;
    const isSecure = protocol === "https:";
    const options: RequestOptions = {
      method: "POST",
      headers,
      agent: isSecure ? agents["https:"] : agents["http:"],
      ...(isOwn ? {} : { lookup: guardedLookup(network, protocol) }),
    };
    return isSecure ? httpsRequest(url, options) : httpRequest(url, options);
  }

  return {
    async send({ url: address, headers, body }, stopped) {
      if (stopped.aborted) return { type: "stopped" };
      const url = new URL(address);
      const isOwn = network.isOwn(address);
      const literal = literalAddress(url);
      // A connection to a literal address does no look-up, so that the guarded look-up would not check it.
      if (!isOwn && literal !== undefined && !network.permits(literal, url.protocol)) {
        return failureOf(new AddressRefusedError(literal));
      }
      const length = String(Buffer.byteLength(body));
      const fixed = { "content-length": length, "user-agent": USER_AGENT };
      const request = begin(url, isOwn, { "content-type": "application/json", ...headers, ...fixed });
      const outcome = outcomeFrom(request, timeoutMs, stopped);
      request.end(body);
      return outcome;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
