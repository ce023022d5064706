import type { ChangeNotifications, ChangeTopic } from "../../access/notifiers.ts";

/** Creates the publisher of one process, through which every update hint reaches its listeners. */
export function createChangeNotifications(): ChangeNotifications {
  const listeners = new Map<ChangeTopic, Set<() => void>>();
  const forgetters: ((topic: ChangeTopic) => void)[] = [];

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
    onInvalidate(forget) {
      forgetters.push(forget);
    },
  };
}
