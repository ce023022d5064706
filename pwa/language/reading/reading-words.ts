import type { Language } from "../language.ts";
import type { Sentence } from "../words.ts";
import { words as en } from "./en.ts";
import { words as es } from "./es.ts";
import { words as pt } from "./pt.ts";

/** Texts of a receipt, of the page that checks one, and of the summary with its monthly statement. */
export interface ReadingWords {
  readonly receipt: Readonly<
    Record<
      | "name"
      | "note"
      | "kind"
      | "print"
      | "refund"
      | "original"
      | "left"
      | "qrLabel"
      | "scan"
      | "copied"
      | "looking"
      | "proof",
      string
    >
  > & {
    readonly state: Readonly<
      Record<"paid" | "sent" | "received" | "partly" | "reversed" | "rejected" | "pending", string>
    >;
    readonly unknown: Sentence;
    readonly text: (facts: Readonly<Record<"kind" | "amount" | "who" | "reference" | "code", string>>) => string;
  };
  readonly verify: Readonly<
    Record<"name" | "asking" | "payer" | "payee" | "compare" | "open" | "checked" | "incomplete", string>
  > & {
    /** As the payment of a genuine receipt stands now. */
    readonly genuine: Readonly<Record<"stands" | "partly" | "reversed", Sentence>>;
    readonly forged: Sentence;
  };
  readonly summary: Readonly<
    Record<"name" | "lead" | "chart" | "table" | "payee" | "payments" | "last" | "total" | "more", string>
  > & {
    readonly empty: Sentence;
    readonly payees: (count: number) => string;
    /** Below a chart that does not show all. */
    readonly largest: (count: number) => string;
  };
  readonly statement: Readonly<
    Record<"title" | "lead" | "month" | "pdf" | "csv" | "preparing" | "ready" | "tooMany" | "failed", string>
  >;
}

/** The words of these pages in each language; they come with the pages, so that no other page waits for them. */
export const readingWords: Readonly<Record<Language, ReadingWords>> = Object.freeze({ es, en, pt });
