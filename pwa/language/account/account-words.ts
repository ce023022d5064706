import type { AccountChange } from "../../../src/contract/broker/account-changes.ts";
import type { LockMinutes } from "../../lock/lock.ts";
import type { Theme } from "../../settings/settings.ts";
import type { Sentence } from "../words.ts";

/** Texts of the enrolment pages and of the pages about the account itself. */
export interface AccountWords {
  readonly enrol: Readonly<
    Record<
      | "name"
      | "lead"
      | "delayed"
      | "operator"
      | "code"
      | "codeHint"
      | "codeMissing"
      | "device"
      | "make"
      | "making"
      | "stillGood"
      | "signIn"
      | "askAgain"
      | "doneText"
      | "next"
      | "skip"
      | "guideTitle"
      | "start",
      string
    >
  > & {
    readonly hello: (name: string) => string;
    readonly wrong: (triesLeft: number) => string;
    readonly over: Sentence;
    /** After a reload the secret is no longer in the page's address. */
    readonly missing: Sentence;
    readonly waiting: Sentence;
    /** The browser is an operator's, which may not accept an invitation. */
    readonly notHere: Sentence;
    readonly done: (name: string) => string;
    readonly payFrom: (when: string) => string;
    /** Guide to Cupo, to paying and to receiving. */
    readonly guide: readonly [Sentence, Sentence, Sentence];
  };
  readonly profile: Readonly<Record<"name" | "demo", string>>;
  readonly devices: Readonly<
    Record<
      | "title"
      | "current"
      | "unused"
      | "rename"
      | "newName"
      | "save"
      | "cancel"
      | "remove"
      | "invite"
      | "inviteText"
      | "code"
      | "codeText"
      | "qrLabel"
      | "copy"
      | "over"
      | "none",
      string
    >
  > & {
    readonly added: (when: string) => string;
    readonly used: (when: string) => string;
    readonly payFrom: (when: string) => string;
    readonly isNew: Sentence;
    readonly removing: (name: string) => Sentence;
    readonly removed: (name: string) => string;
    readonly renamed: (name: string) => string;
    readonly expiresIn: (time: string) => string;
    readonly tooNew: Sentence;
    readonly last: Sentence;
    readonly inFirstDay: Sentence;
  };
  readonly sessions: Readonly<Record<"title" | "current" | "unknown" | "end" | "ended", string>> & {
    readonly active: (when: string) => string;
  };
  /** Consent that a merchant sells top-ups from the person's quota. */
  readonly selling: Readonly<Record<"title" | "agree" | "refuse" | "agreed" | "refused", string>> & {
    readonly asks: (merchant: string) => Sentence;
    readonly pages: (origins: string) => string;
    readonly keys: (keys: string) => string;
  };
  readonly limits: Readonly<
    Record<
      "title" | "lead" | "payment" | "day" | "first_time_payee" | "none" | "own" | "save" | "clear" | "saved",
      string
    >
  > & {
    readonly upTo: (amount: string) => string;
    readonly ofEntity: (amount: string) => string;
    readonly change: (limit: string) => string;
    readonly spent: (amount: string) => string;
    readonly newDevice: (left: string, when: string) => string;
    readonly aboveEntity: (amount: string) => string;
  };
  readonly freeze: Readonly<Record<"title" | "text" | "ask" | "confirm" | "failed", string>> & {
    readonly asking: Sentence;
  };
  /** Words for the list of changes to devices, sessions, limits, grants and freezes. */
  readonly changes: Readonly<Record<"title" | "none" | "here", string>> & {
    readonly kinds: Readonly<Record<AccountChange["kind"], string>>;
  };
  readonly arrivals: Readonly<Record<"title" | "sound" | "soundText" | "push" | "pushText" | "pushRefused", string>> & {
    readonly pushFailed: Sentence;
  };
  /** Texts on installing the app; `byHand` for Safari on an iPhone. */
  readonly install: Readonly<Record<"title" | "text" | "ask" | "byHand", string>>;
  readonly settings: Readonly<Record<"title" | "language" | "theme" | "lock" | "lockNow" | "lockText", string>> & {
    readonly themes: Readonly<Record<Theme, string>>;
    readonly lockAfter: Readonly<Record<LockMinutes, string>>;
  };
}
