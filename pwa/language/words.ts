import type { ApprovalWords, StartWords } from "../../src/language/tables/app.ts";
import { formatDay, formatTime } from "../../src/time-format.ts";
import type { Failure, ShownProblem } from "../platform/problem.ts";

/** The words that the app loads at its start. Amounts, names and times are passed in already formatted. */
export type Words = StartWords;

/** Message to a person: `title` names the event, `text` says what it means for the money and what to do. */
export interface Sentence {
  readonly title: string;
  readonly text: string;
}

/** Texts of one kind of approval, where they differ from those of a code's payment. */
export type OperationWords = Pick<
  ApprovalWords["transfer"],
  "title" | "payTo" | "paying" | "pay" | "firstTime" | "paidTo" | "receipt"
>;

/** The operation that failed: the same failure calls for different advice. */
type Occasion = "paying" | "typing" | "looking";

/** Returns the text for a failure from a table that has texts for only some failures; undefined if it has none. */
export function textFor<Known extends Failure, Text>(
  texts: Readonly<Record<Known, Text>>,
  failure: Failure,
): Text | undefined {
  return (texts as Readonly<Partial<Record<Failure, Text>>>)[failure];
}

/**
 * Returns the message about a problem, worded for the operation that failed (paying, typing a code's amount, or looking
 * at data); a foreign code's message names its payment scheme if that is known.
 */
export function sentenceOf(words: Words, problem: ShownProblem, occasion: Occasion = "paying"): Sentence {
  const { failure, scheme } = problem;
  if (failure === "foreign_code" && scheme !== undefined) return words.foreignScheme(scheme);
  const { title, text } = words.failures[failure];
  const others = {
    paying: undefined,
    typing: textFor(words.typing, failure),
    looking: textFor(words.looking, failure),
  } satisfies Record<Occasion, string | undefined>;
  return { title, text: others[occasion] ?? text };
}

/** Formats day and time of a moment as people say them, also within a sentence: `mañana a las 2:32 p. m.`. */
export function whenText(instant: Date | string, { common, tag }: Words, nowMs: number): string {
  return common.at(formatDay(instant, tag, nowMs), formatTime(instant, tag));
}
