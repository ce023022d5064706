import type { ChangeNotifications, ChangeTopic } from "../../access/notifiers.ts";

/** The message of the service about a transaction comes within seconds of its answer. */
const MOST_RESERVED = 1_000;

/** Creates the publisher of one process, through which every update hint reaches its listeners. */
export function createChangeNotifications(): ChangeNotifications {
  const listeners = new Map<ChangeTopic, Set<() => void>>();
  const forgetters: ((topic: ChangeTopic) => void)[] = [];
  const reserved = new Set<string>();

  return {
    publish(...topics) {
      for (const topic of topics) {
        for (const forget of forgetters) forget(topic);
        for (const listener of [...(listeners.get(topic) ?? [])]) listener();
      }
    },
    reserve(transactionId) {
      reserved.add(transactionId);
      const [oldest] = reserved;
      if (reserved.size > MOST_RESERVED && oldest !== undefined) reserved.delete(oldest);
    },
    isReserved: (transactionId) => reserved.has(transactionId),
    subscribe(topic, listener) {
      const waiting = listeners.get(topic) ?? new Set();
      listeners.set(topic, waiting.add(listener));
      return () => {
        waiting.delete(listener);
        if (waiting.size === 0 && listeners.get(topic) === waiting) listeners.delete(topic);
      };
    },
    onInvalidate(forget) {
      forgetters.push(forget);
    },
  };
}
