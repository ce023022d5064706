/** A content encoding in which the build writes copies of files, and the ending of their names. */
export interface ContentEncoding {
  readonly name: "br" | "gzip";
  readonly ending: ".br" | ".gz";
}

/** The smaller form first. */
const ENCODINGS: readonly ContentEncoding[] = Object.freeze([
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
]);

/** Returns the compressed forms that an `Accept-Encoding` header admits, the smaller form first (RFC 9110 §12.5.3). */
export function acceptedEncodings(header: string | undefined): readonly ContentEncoding[] {
  const weights = new Map((header ?? "").split(",").map(weighted));
  return ENCODINGS.filter(({ name }) => (weights.get(name) ?? weights.get("*") ?? 0) > 0);
}

function weighted(item: string): readonly [string, number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [name, weight === undefined ? 1 : Number(weight.slice(2))];
}
