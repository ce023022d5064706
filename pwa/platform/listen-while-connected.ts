import type { ReactiveControllerHost } from "lit";

/** Listens to an event for as long as an element is in the page; `target` is asked for then. */
export function listenWhileConnected(
  host: ReactiveControllerHost,
  target: () => EventTarget,
  type: string,
  listener: () => void,
): void {
  host.addController({
    hostConnected: () => target().addEventListener(type, listener),
    hostDisconnected: () => target().removeEventListener(type, listener),
  });
}
