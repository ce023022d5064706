import type { IncomingMessage } from "node:http";

/** A body may arrive for so long after the answer to its request, and for twice as long at most. */
const REST_MS = 500;

/** Discards what still comes of bodies whose requests are answered, as of refused ones. */
export interface UnreadBodies {
  /** Cuts the connection of an answered request unless its body soon ends. */
  add(incoming: IncomingMessage): void;
}

/**
 * Makes the tracker that bounds for how long bodies are discarded. One timer serves them all: a timer for each would
 * hold request and answer until it runs, and while requests flood in no timer runs for seconds.
 */
export function createUnreadBodies(restMs = REST_MS): UnreadBodies {
  let before = new Set<IncomingMessage>();
  let now = new Set<IncomingMessage>();
  let timer: NodeJS.Timeout | undefined;

  function cutOld(): void {
    for (const { complete, socket } of before) if (!complete) socket.destroySoon();
    before = now;
    now = new Set();
    if (before.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(incoming) {
      if (incoming.readableEnded || incoming.destroyed) return;
      now.add(incoming);
      incoming.once("end", () => {
        now.delete(incoming);
        before.delete(incoming);
      });
      // Node itself discards only what nobody began to read.
      incoming.resume();
      timer ??= setInterval(cutOld, restMs).unref();
    },
  };
}
