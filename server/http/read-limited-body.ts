import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { ApiError } from "../../src/contract/shared/errors.ts";

/** Most bytes of a request body (interface: Wire conventions). */
const MAX_BODY_BYTES = 262_144;
/**
 * Most bytes of the body of a request that needs no credential: anybody may send one, and no such operation needs more.
 */
export const MAX_ANONYMOUS_BODY_BYTES = 32_768;

function tooLarge(limit: number): ApiError {
  return new ApiError("payload_too_large", { detail: `The body is over ${Math.floor(limit / 1024)} KiB.` });
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

async function collect(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return join(chunks, size);
}

/**
 * The chunks of a body without a declared length. The Node stream is read itself and left intact when reading stops:
 * cancelling the web stream would destroy the socket before the 413 is out.
 */
function chunksOf(request: Request, incoming: IncomingMessage | undefined): AsyncIterable<Uint8Array> {
  if (incoming instanceof Readable) return incoming.iterator({ destroyOnReturn: false });
  return request.body ?? new ReadableStream({ start: (controller) => controller.close() });
}

/**
 * Reads a body, never holding more than the limit: throws 413 `payload_too_large` past it, at once when the declared
 * length says so. Bytes that the client still sends are drained and bounded by the server.
 */
export async function readLimitedBody(
  request: Request,
  incoming: IncomingMessage | undefined,
  limit = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  try {
    // Node delivers no more than the declared length, so the adapter's fast path is safe there.
    if (declared !== null && incoming instanceof Readable) return new Uint8Array(await request.arrayBuffer());
    return await collect(chunksOf(request, incoming), limit);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError("malformed_json", { detail: "The body ended before it was complete.", cause });
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i;

/** Throws 415 unless the headers declare the body as plain JSON in UTF-8. */
export function requireJsonContent(headers: Headers): void {
  const declared = headers.get("content-type");
  const encoding = headers.get("content-encoding");
  const isPlain = encoding === null || encoding.toLowerCase() === "identity";
  if (declared === "application/json" && isPlain) return;
  const mediaType = (declared ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const charset = CHARSET.exec(declared ?? "")?.[1] ?? "utf-8";
  if (mediaType !== "application/json") {
    throw new ApiError("unsupported_media_type", { detail: "Send the body with Content-Type: application/json." });
  }
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError("unsupported_media_type", { detail: "Send the body in UTF-8: JSON has no other charset." });
  }
  if (!isPlain) throw new ApiError("unsupported_media_type", { detail: "Send the body without Content-Encoding." });
}
