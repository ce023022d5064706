import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { ChangeNotifications, ChangeTopic, StreamLimits } from "../../access/notifiers.ts";

/** An event stream to begin: the topic of its hints, and the owner, merchant and address that it counts for. */
export interface StreamRequest {
  readonly topic: ChangeTopic;
  /** A hint about this topic ends the stream: the owner may read no more. */
  readonly endTopic?: ChangeTopic;
  readonly owner: string;
  /** The merchant of the session, where it is a merchant's. */
  readonly merchantId: string | undefined;
  /** The address that asks for it. */
  readonly address: string;
  /** When the owner's session ends, in milliseconds from now. */
  readonly sessionMs: number;
}

/** A stream that has begun. */
interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when it is over, for whatever reason. */
  readonly ended: Promise<void>;
}

/** The event streams by which one process sends update hints to pages. */
export interface ChangeStreams {
  /** Begins a stream; throws `too_many_requests` or `unavailable` where there are enough, and the page simply polls. */
  open(request: StreamRequest): OpenStream;
  /** Ends all of them at once, and begins no more. */
  close(): void;
}

const DEFAULT_LIMITS: StreamLimits = Object.freeze({
  maxAgeMs: 5 * 60_000,
  heartbeatMs: 15_000,
  perOwner: 4,
  perMerchant: 1_000,
  perAddress: 500,
  inAll: 5_000,
});
/** A reader that leaves so many lines unread counts as gone. */
const MAX_UNREAD = 16;
const TRY_AGAIN_SECONDS = 30;

const encoder = new TextEncoder();
/** Server-sent events: a comment, and an event that says nothing else. The elements look for its letter `d` alone. */
const HEARTBEAT = encoder.encode(":\n\n");
const HINT = encoder.encode("data: look again\n\n");

interface StreamSource {
  readonly subscribe: (listener: () => void) => () => void;
  readonly subscribeToEnd: (listener: () => void) => () => void;
  readonly heartbeatMs: number;
  readonly lifeMs: number;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
}

/** Starts one stream: hints and heartbeats until its time is up, it is ended, or its reader has left. */
function startStream({ subscribe, subscribeToEnd, heartbeatMs, lifeMs, onEnd }: StreamSource) {
  let stop: () => void = () => undefined;
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (line: Uint8Array) => {
        if ((controller.desiredSize ?? 0) > -MAX_UNREAD) controller.enqueue(line);
        else end();
      };
      end = () => {
        stop();
        controller.close();
      };
      const unsubscribe = subscribe(() => send(HINT));
      const unsubscribeFromEnd = subscribeToEnd(() => end());
      const heartbeat = setInterval(() => send(HEARTBEAT), heartbeatMs);
      const age = setTimeout(() => end(), lifeMs);
      stop = () => {
        unsubscribe();
        unsubscribeFromEnd();
        clearInterval(heartbeat);
        clearTimeout(age);
        onEnd();
      };
      // A first line, so that the page and all proxies between know that the stream is up.
      send(HEARTBEAT);
    },
    cancel: () => stop(),
  });
  return { body, end };
}

/** The holders that a stream counts for, and the most streams that each may have. */
function holdersOf(request: StreamRequest, limits: StreamLimits): readonly (readonly [holder: string, most: number])[] {
  const { owner, merchantId, address } = request;
  return [
    [owner, limits.perOwner],
    ...(merchantId === undefined ? [] : [[`merchant:${merchantId}`, limits.perMerchant] as const]),
    [`address:${address}`, limits.perAddress],
  ];
}

/** Creates the event streams of one process, by which update hints reach pages. */
export function createChangeStreams(hints: ChangeNotifications, changes: Partial<StreamLimits> = {}): ChangeStreams {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  const { maxAgeMs, heartbeatMs, inAll } = limits;
  const ends = new Set<() => void>();
  const held = new Map<string, number>();
  let closed = false;

  function refuse(request: StreamRequest): void {
    const detail = "Ask for the state itself meanwhile.";
    if (closed || ends.size >= inAll) throw new ApiError("unavailable", { retryAfter: TRY_AGAIN_SECONDS });
    if (holdersOf(request, limits).every(([holder, most]) => (held.get(holder) ?? 0) < most)) return;
    throw new ApiError("too_many_requests", { detail, retryAfter: TRY_AGAIN_SECONDS });
  }

  function count(request: StreamRequest, change: 1 | -1): void {
    for (const [holder] of holdersOf(request, limits)) {
      const number = (held.get(holder) ?? 0) + change;
      if (number > 0) held.set(holder, number);
      else held.delete(holder);
    }
  }

  return {
    open(request) {
      refuse(request);
      const { topic, endTopic, sessionMs } = request;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const { body, end } = startStream({
        subscribe: (listener) => hints.subscribe(topic, listener),
        subscribeToEnd: (listener) => (endTopic === undefined ? () => undefined : hints.subscribe(endTopic, listener)),
        heartbeatMs,
        lifeMs: Math.min(maxAgeMs, sessionMs),
        onEnd: () => {
          ends.delete(end);
          count(request, -1);
          resolve();
        },
      });
      ends.add(end);
      count(request, 1);
      return { body, ended };
    },
    close() {
      closed = true;
      for (const end of [...ends]) end();
    },
  };
}
