/** Control characters, and those that turn writing round: a text with them reads as another. */
const MISLEADING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text of one line may be read as another than it is. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/** What somebody typed or pasted, as it reads: without those characters, which nobody types on purpose. */
export function withoutMisleading(text: string): string {
  return text.replace(new RegExp(MISLEADING, "gu"), "");
}
