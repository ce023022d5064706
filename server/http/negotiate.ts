import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";

const JSON_TYPE = "application/json";

/** Media ranges of an `Accept` header with their weights; 0 refuses. */
type Ranges = ReadonlyMap<string, number>;

function parseAccept(accept: string): Ranges {
  const ranges = new Map<string, number>();
  for (const element of accept.split(",")) {
    const [type = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    if (type !== "") ranges.set(type, Number.isFinite(weight) ? weight : 1);
  }
  return ranges;
}

function groupOf(type: string): string {
  return `${type.split("/", 1)[0]}/*`;
}

function weightOf(type: string, ranges: Ranges): number {
  return ranges.get(type) ?? ranges.get(groupOf(type)) ?? ranges.get("*/*") ?? 0;
}

function accepts(range: string, ranges: Ranges): boolean {
  return (ranges.get(range) ?? 0) > 0;
}

function notAcceptable(offered: readonly string[]): ApiError {
  return new ApiError("not_acceptable", { detail: `Accept one of ${offered.join(", ")}.` });
}

/** True if JSON is named, no wildcard covers the other forms, and none of those is named with more weight. */
function prefersJson(others: readonly string[], ranges: Ranges): boolean {
  if (!accepts(JSON_TYPE, ranges) || accepts("*/*", ranges)) return false;
  if (others.some((type) => accepts(groupOf(type), ranges))) return false;
  return others.every((type) => weightOf(type, ranges) <= weightOf(JSON_TYPE, ranges));
}

function choose(offered: readonly string[], ranges: Ranges): string {
  const jsonIsExtra = offered.indexOf(JSON_TYPE) > 0;
  const candidates = jsonIsExtra ? offered.filter((type) => type !== JSON_TYPE) : offered;
  if (jsonIsExtra && prefersJson(candidates, ranges)) return JSON_TYPE;
  const most = Math.max(...candidates.map((type) => weightOf(type, ranges)));
  const best = candidates.find((type) => weightOf(type, ranges) === most);
  if (best === undefined || most <= 0) throw notAcceptable(offered);
  return best;
}

/** True if a `Prefer` header asks for `return=minimal` (RFC 7240 §4.2). */
export function prefersMinimal(prefer: string | null): boolean {
  return prefer !== null && /(?:^|[,;])\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(prefer);
}

/**
 * Returns the media type that a request gets, of those its row offers; throws `not_acceptable` (406) where none fits.
 * JSON that a row offers behind images comes only when `Accept` names it, with no wildcard that covers an image, and no
 * image with more weight; rows with JSON alone refuse only an `Accept` that excludes it.
 */
export function negotiate(row: Operation, accept: string | null): string {
  const offered = row.mediaTypes;
  if (accept === null || accept.trim() === "" || accept === "*/*") return offered?.[0] ?? JSON_TYPE;
  if (offered !== undefined) return choose(offered, parseAccept(accept));
  if (accept === JSON_TYPE) return JSON_TYPE;
  const ranges = parseAccept(accept);
  if (weightOf(JSON_TYPE, ranges) > 0 || accepts("application/problem+json", ranges)) return JSON_TYPE;
  throw notAcceptable([JSON_TYPE]);
}
