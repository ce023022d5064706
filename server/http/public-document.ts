import { entityTag, matchesTag } from "./answer-call.ts";
import type { HttpContext } from "./exchange.ts";
import type { HttpTools } from "./http-options.ts";

/** The content of a route that anyone may read and that is the same for everybody, with its entity tag. */
export interface PublicDocument {
  readonly content: Uint8Array;
  readonly tag: string;
  /** Its media type. */
  readonly type: string;
}

/** Makes a document of its content and media type, with the entity tag of the content. */
export function publicDocument(content: string | Uint8Array, type: string): PublicDocument {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Object.freeze({ content: bytes, type, tag: entityTag(bytes) });
}

/** Reads a document on the first request for it, and again after a failure. */
export function keptDocument(read: () => Promise<PublicDocument>): () => Promise<PublicDocument> {
  let kept: Promise<PublicDocument> | undefined;
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/**
 * Answers a document, or 304 where the caller has it; caches may keep it for five minutes and then ask with its tag.
 */
export function answerDocument(
  c: HttpContext,
  tools: HttpTools,
  { content, tag, type }: PublicDocument,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const caching = { ...headers, "Cache-Control": "public, max-age=300", ETag: tag };
  if (matchesTag(c.req.raw.headers.get("if-none-match"), tag)) return tools.respond(c, 304, null, caching);
  return tools.respondShared(c, 200, content, { "Content-Type": type, ...caching });
}
