import { ApiError } from "../../src/contract/shared/errors.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { sentenceOf, type Words } from "../language/words.ts";
import { problemOf } from "../platform/problem.ts";

/** Returns the sentence for a look-up that found nobody, was refused, or failed. */
export function lookUpSentence(error: unknown, words: Words, { failures, nobody }: ApprovalWords["transfer"]): string {
  const code = error instanceof ApiError ? error.code : undefined;
  const own = code === "not_allowed" ? failures.not_allowed : undefined;
  const { title, text } = code === "user_not_found" ? nobody : (own ?? sentenceOf(words, problemOf(error), "looking"));
  return `${title}. ${text}`;
}
