import type { ServerResponse } from "node:http";

/** Most bytes of answers of a process that their readers have not taken yet. */
export const UNREAD_LIMIT = 64 * 1024 * 1024;

const shared = new WeakSet<ServerResponse>();

/**
 * Marks a response whose body is one buffer shared by all requests: {@link UnreadAnswers} does not count it, because it
 * costs no memory of its own.
 */
export function shareBody(outgoing: ServerResponse | undefined): void {
  if (outgoing !== undefined) shared.add(outgoing);
}

/** Tracks the answers that clients have not taken yet. */
export interface UnreadAnswers {
  /** Counts the unsent rest of an answer that was handed over, until the client has taken it. */
  add(outgoing: ServerResponse): void;
}

/**
 * Makes the tracker that bounds the memory of unread answers: past the limit, the connections whose answers wait for
 * longest are cut.
 */
export function createUnreadAnswers(limit = UNREAD_LIMIT): UnreadAnswers {
  /** The bytes of each, the oldest first. */
  const sizes = new Map<ServerResponse, number>();
  let total = 0;

  function remove(outgoing: ServerResponse): void {
    total -= sizes.get(outgoing) ?? 0;
    sizes.delete(outgoing);
  }

  return {
    add(outgoing) {
      const size = outgoing.closed || shared.has(outgoing) ? 0 : outgoing.writableLength;
      if (size === 0) return;
      sizes.set(outgoing, size);
      total += size;
      outgoing.once("close", () => remove(outgoing));
      for (const oldest of sizes.keys()) {
        if (total <= limit) break;
        remove(oldest);
        oldest.destroy();
      }
    },
  };
}
