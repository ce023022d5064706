import type { Failure, ShownProblem } from "../payment/problem.ts";
import type { EntryWords } from "./entry/entry-words.ts";
import type { KeptWords } from "./kept/kept-words.ts";

/** A sentence of what happened, and one of what it means for the money and what to do. */
export interface Sentence {
  readonly title: string;
  readonly text: string;
}

/** All texts of the app in one language. Amounts, names and times are passed in already formatted. */
export interface Words extends EntryWords, KeptWords {
  /** BCP 47 tag of the language, which also formats dates. */
  readonly tag: string;
  readonly common: Readonly<
    Record<
      | "back"
      | "close"
      | "retry"
      | "done"
      | "loading"
      | "refresh"
      | "loadMore"
      | "seeAll"
      | "copy"
      | "copied"
      | "share"
      | "home"
      | "navigation"
      | "offline"
      | "reference"
      | "checkCode"
      | "amount"
      | "date"
      | "today"
      | "yesterday",
      string
    >
  > & { readonly asOf: (when: string) => string };
  readonly tabs: Readonly<Record<"home" | "history" | "scan" | "receive" | "received", string>>;
  readonly update: Readonly<Record<"text" | "accept" | "later", string>>;
  /** A page that could not be loaded. */
  readonly unopened: Sentence;
  readonly welcome: Readonly<
    Record<"title" | "lead" | "interrupted" | "signIn" | "asking" | "demo" | "invitedText", string>
  > & {
    readonly continueAs: (name: string) => string;
    readonly roles: Readonly<Record<"payer" | "merchant", string>>;
    /** Notice for a person who signed in as an operator. */
    readonly operator: Sentence;
  };
  readonly home: Readonly<
    Record<"available" | "hide" | "show" | "hidden" | "lastMovements" | "signOut" | "noQuota", string>
  > & {
    readonly greeting: (name: string) => string;
    readonly ofTotal: (total: string) => string;
    readonly status: Readonly<Record<"active" | "arrear" | "default", string>>;
  };
  readonly scan: Readonly<
    Record<
      | "title"
      | "lead"
      | "starting"
      | "torchOn"
      | "torchOff"
      | "image"
      | "paste"
      | "type"
      | "typeLabel"
      | "typeHint"
      | "go"
      | "noCodeInImage"
      | "nothingToPaste"
      | "pasteDenied"
      | "readingImage"
      | "zoom"
      | "chooseCamera",
      string
    >
  > & {
    /** A camera for which the browser has no name. */
    readonly cameraNumber: (number: number) => string;
    readonly camera: Readonly<Record<"refused" | "missing" | "busy" | "insecure", Sentence>>;
    /** The decoder for pictures could not be loaded. */
    readonly unread: Sentence;
  };
  readonly confirm: Readonly<
    Record<
      | "title"
      | "reading"
      | "payTo"
      | "askAmount"
      | "amountMissing"
      | "continue"
      | "compare"
      | "demo"
      | "paying"
      | "asking"
      | "askingText"
      | "scanAnother"
      | "tryAgain"
      | "change"
      | "paid"
      | "balance"
      | "when"
      | "offlineKnown",
      string
    >
  > & {
    readonly pay: (amount: string) => string;
    readonly after: (amount: string) => string;
    readonly notEnough: (available: string) => string;
    readonly firstTime: (payee: string) => string;
    readonly expiresIn: (time: string) => string;
    readonly paidTo: (payee: string) => string;
    readonly receipt: (amount: string, payee: string, reference: string) => string;
  };
  readonly receive: Readonly<
    Record<
      | "title"
      | "openAmount"
      | "withAmount"
      | "withoutAmount"
      | "makeCode"
      | "qrLabel"
      | "waiting"
      | "paidTitle"
      | "another"
      | "expiredTitle"
      | "expiredText"
      | "tooLarge"
      | "shareText",
      string
    >
  > & { readonly paid: (amount: string) => string };
  readonly list: Readonly<
    Record<
      | "history"
      | "received"
      | "all"
      | "sent"
      | "receivedOnly"
      | "filter"
      | "balanceAfter"
      | "state"
      | "reason"
      | "refunded",
      string
    >
  > & {
    readonly emptyHistory: Sentence;
    readonly emptyReceived: Sentence;
    readonly kind: Readonly<Record<"payment" | "batch" | "recharge" | "qr" | "refund" | "transfer", string>>;
    readonly status: Readonly<Record<"pending" | "approved" | "rejected" | "reversed", string>>;
    readonly sentTo: (name: string) => string;
    readonly receivedFrom: (name: string) => string;
  };
  /** Permission for a merchant to show the quota, and the list of permissions. */
  readonly grant: Readonly<
    Record<"name" | "lead" | "sees" | "neverPays" | "pages" | "allow" | "refuse" | "keep" | "revoke" | "unused", string>
  > & {
    readonly title: (merchant: string) => string;
    readonly already: (since: string) => string;
    readonly allowed: Sentence;
    readonly unknown: Sentence;
    readonly none: Sentence;
    readonly since: (when: string) => string;
    readonly until: (when: string) => string;
    readonly used: (when: string) => string;
    readonly revoked: (merchant: string) => string;
  };
  readonly lost: Sentence;
  /** Failures of the payment of a code that contains the amount. */
  readonly failures: Readonly<Record<Failure, Sentence>>;
  /** Replacement texts where the person typed the amount and can type another. */
  readonly typing: Readonly<Record<"insufficient_balance" | "balance_limit" | "limit_exceeded", string>>;
  /** Replacement texts where no money was to move. */
  readonly looking: Readonly<Record<"no_connection" | "service_unavailable", string>>;
  /** The sentence for a sound code of another payment scheme, such as PIX. */
  readonly foreignScheme: (scheme: string) => Sentence;
}

/** The operation that failed: the same failure calls for different advice. */
type Occasion = "paying" | "typing" | "looking";

function otherText(words: Words, failure: Failure, occasion: Occasion): string | undefined {
  if (occasion === "paying") return undefined;
  const texts: Readonly<Partial<Record<Failure, string>>> = words[occasion];
  return texts[failure];
}

/** Returns the message about a problem, naming the other scheme of a foreign code if it is known. */
export function sentenceOf(words: Words, problem: ShownProblem, occasion: Occasion = "paying"): Sentence {
  const { failure, scheme } = problem;
  if (failure === "foreign_code" && scheme !== undefined) return words.foreignScheme(scheme);
  const { title, text } = words.failures[failure];
  return { title, text: otherText(words, failure, occasion) ?? text };
}
