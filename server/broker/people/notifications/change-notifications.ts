import type { ChangeNotifications, ChangeTopic } from "../../access/notifiers.ts";

/** Makes the one place where hints are published. */
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
