import { hash } from "node:crypto";
import type { Reply } from "../../src/contract/shared/handler.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { faultsOf, fits } from "../../src/contract/shared/validate.ts";
import { type Exchange, respond } from "./exchange.ts";
import type { WrittenReply } from "./remote-call.ts";

/** Enough of a SHA-256 in base64url that two bodies never share it by chance: 132 bits. */
const ETAG_LENGTH = 22;

/** True if an operation is a GET whose answer is no list, so that `ETag` and 304 apply to it. */
export function isSingleRead(row: Operation): boolean {
  return row.method === "GET" && row.answer.type !== "array";
}

/** Returns the entity tag of a body: the beginning of its SHA-256, in quotes. */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash("sha256", body, "base64url").slice(0, ETAG_LENGTH)}"`;
}

/** True if `If-None-Match` holds the tag; compared weakly, as RFC 9110 §13.1.2 says. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  const bare = tag.replace(/^W\//, "");
  return header.split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === bare);
}

/** The next page's address: the request's own query with another cursor, relative unless the public base is known. */
function nextLink(url: string, cursor: string, row: Operation, baseUrl: string | undefined): string {
  const start = url.indexOf("?");
  const query = new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
  query.set("cursor", cursor);
  const place = baseUrl === undefined ? "" : baseUrl.replace(/\/$/, "") + row.path;
  return `<${place}?${query}>; rel="next"`;
}

/** Throws unless an answer fits its row; a sum that no double holds fits once it is serialized (see `exactNumber`). */
function checkAnswer(row: Operation, body: unknown): void {
  if (fits(row.answer, body) || fits(row.answer, JSON.parse(JSON.stringify(body) ?? "null"))) return;
  const faults = faultsOf(row.answer, body, row).slice(0, 5);
  const places = faults.map(({ pointer = "", detail }) => `${pointer === "" ? "/" : pointer} ${detail}`);
  throw new Error(`the answer of ${row.name} does not fit its row: ${places.join("; ")}`);
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

/**
 * Builds the response from a handler's reply, with entity tag or 304 and the link to the next page where they apply.
 * Throws if the reply does not fit the answer of its row, which is our bug.
 */
export function answerCall(
  row: Operation,
  reply: Reply<unknown> | WrittenReply,
  exchange: Exchange,
  request: Request,
  baseUrl: string | undefined,
): Response {
  const isWritten = "written" in reply;
  checkAnswer(row, isWritten ? JSON.parse(reply.written) : reply.body);
  const headers: Record<string, string> = { "Content-Type": reply.media?.type ?? "application/json", ...reply.headers };
  if (row.mediaTypes !== undefined) headers.Vary = "Accept";
  if (reply.replayed === true) headers["Idempotent-Replayed"] = "true";
  if (reply.syncToken !== undefined) headers["Sync-Token"] = reply.syncToken;
  if (reply.nextCursor !== undefined) headers.Link = nextLink(request.url, reply.nextCursor, row, baseUrl);
  const content = reply.media?.content ?? (isWritten ? reply.written : JSON.stringify(reply.body));
  if (!isSingleRead(row)) return respond(exchange, row.status, content, headers);
  const tag = headerOf(headers, "etag") ?? entityTag(content);
  if (headerOf(headers, "etag") === undefined) headers.ETag = tag;
  if (!matchesTag(request.headers.get("if-none-match"), tag)) return respond(exchange, row.status, content, headers);
  const { "Content-Type": _, ...unchanged } = headers;
  return respond(exchange, 304, null, unchanged);
}
