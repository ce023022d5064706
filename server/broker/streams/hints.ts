/**
 * A topic that pages wait for: a payment code, or the money of one user of the service. `ended` says that the user's
 * sessions are over, and ends the streams that were opened in them.
 */
export type HintTopic = `code:${string}` | `user:${string}` | `ended:${string}`;

/**
 * Notifies waiting pages of this process that there may be something new, and of nothing else: each asks for it with
 * its own rights. Settlements by another process of the broker are not published here: pages go on polling, and a hint
 * only saves them the wait.
 */
export interface Hints {
  publish(...topics: readonly HintTopic[]): void;
  /** Calls `listener` at each hint about the topic; returns a function that unsubscribes it. */
  subscribe(topic: HintTopic, listener: () => void): () => void;
  /** Calls `forget` with every topic before its listeners, so that none of them reads an older cache entry. */
  forgetFirst(forget: (topic: HintTopic) => void): void;
}

/** Makes the one place where hints are published. */
export function createHints(): Hints {
  const listeners = new Map<HintTopic, Set<() => void>>();
  const forgetters: ((topic: HintTopic) => void)[] = [];

  return {
    publish(...topics) {
      for (const topic of topics) {
        for (const forget of forgetters) forget(topic);
        for (const listener of [...(listeners.get(topic) ?? [])]) listener();
      }
    },
    subscribe(topic, listener) {
      const waiting = listeners.get(topic) ?? new Set();
      listeners.set(topic, waiting.add(listener));
      return () => {
        waiting.delete(listener);
        if (waiting.size === 0 && listeners.get(topic) === waiting) listeners.delete(topic);
      };
    },
    forgetFirst(forget) {
      forgetters.push(forget);
    },
  };
}
