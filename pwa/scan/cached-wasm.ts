import { nameOfError } from "../../src/name-of-error.ts";

/** The one cache that holds the decoder, and nothing else. */
const CACHE = "cupo-decoder";

/** The smallest WebAssembly module: its magic number and its version. */
const EMPTY_MODULE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

/**
 * Compiles the QR decoder's WebAssembly, which is fetched when a scanner is first opened and kept from then on, so that
 * codes are read offline too. It is kept here and not by the service worker, which may not yet be there when that
 * happens. Rejects where it cannot be fetched, or where the browser compiles no WebAssembly.
 */
export async function cachedWasm(url: string): Promise<WebAssembly.Module> {
  // A megabyte is not fetched for a browser that refuses to compile it.
  await WebAssembly.compile(EMPTY_MODULE);
  return WebAssembly.compileStreaming(answerOf(url));
}

async function answerOf(url: string): Promise<Response> {
  // Only secure contexts have caches: pages over https or from this machine.
  const cache = await globalThis.caches?.open(CACHE);
  const kept = await cache?.match(url);
  if (kept !== undefined) return kept;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the decoder could not be fetched: ${answer.status}`);
  if (cache !== undefined) await keep(cache, url, answer.clone());
  return answer;
}

/** Caches it in place of an earlier version's; a device without room for it fetches it again the next time. */
async function keep(cache: Cache, url: string, answer: Response): Promise<void> {
  try {
    for (const earlier of await cache.keys()) await cache.delete(earlier);
    await cache.put(url, answer);
  } catch (error) {
    if (nameOfError(error) === "TypeError") throw error;
  }
}
