/**
 * Something that pages wait for: a payment code, or whatever happens to the money of one user of the service. `ended`
 * says that the user's sessions are over, and ends the streams that were opened in them.
 */
export type HintTopic = `code:${string}` | `user:${string}` | `ended:${string}`;

/**
 * Tells whoever waits in this process that there may be something new. Nothing but that: what it is, everyone asks for
 * with their own rights. What another process of the broker settles is not heard here: pages go on polling, and a hint
 * only saves them the wait.
 */
export interface Hints {
  publish(...topics: readonly HintTopic[]): void;
  /** Calls `listener` at each hint about the topic; gives a function that ends it. */
  subscribe(topic: HintTopic, listener: () => void): () => void;
  /** Calls `forget` with every topic before its listeners, so that none of them is shown what was kept from before. */
  forgetFirst(forget: (topic: HintTopic) => void): void;
}

/** Makes the one place where hints are told. */
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
