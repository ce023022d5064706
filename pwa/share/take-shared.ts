import { type Shared, TAKE_SHARED } from "../worker/keep-shared.ts";

/** The service worker is there, or it is not; it does not think long. */
const WAIT_MS = 3_000;

/** What another app shared with this one, handed over once; nothing when nobody did. */
export function takeShared(): Promise<Shared> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve({});
  const { port1: here, port2: there } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<Shared>();
  const timer = setTimeout(() => resolve({}), WAIT_MS);
  here.onmessage = ({ data }) => resolve(data as Shared);
  worker.postMessage({ type: TAKE_SHARED }, [there]);
  return promise.finally(() => {
    clearTimeout(timer);
    here.close();
  });
}
