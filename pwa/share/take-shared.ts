import { type Shared, TAKE_SHARED } from "../worker/keep-shared.ts";

/** A service worker that is running answers well before this. */
const WAIT_MS = 3_000;

/**
 * Takes the content that another app shared with this one from the service worker, which gives it out once; empty if
 * there is none, or no answer within three seconds.
 */
export function takeShared(): Promise<Shared> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return Promise.resolve({});
  const { port1: here, port2: there } = new MessageChannel();
  return new Promise<Shared>((resolve) => {
    setTimeout(() => resolve({}), WAIT_MS);
    here.onmessage = ({ data }) => resolve(data as Shared);
    worker.postMessage({ type: TAKE_SHARED }, [there]);
  }).finally(() => here.close());
}
