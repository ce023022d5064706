import type { Sentence } from "../words.ts";

/** Texts about the data that is kept on the device: Home, the lists, drafts. */
export interface KeptWords {
  readonly kept: Readonly<
    Record<
      | "older"
      | "search"
      | "searchHint"
      | "filters"
      | "kind"
      | "anyKind"
      | "month"
      | "anyMonth"
      | "clear"
      | "partlyRefunded"
      | "transfer"
      | "summary"
      | "profile"
      | "shortcuts"
      | "understood"
      | "review",
      string
    >
  > & {
    /** Nothing matches the search. */
    readonly noMatch: Sentence;
    /** When it was last confirmed, where it could not be confirmed again. */
    readonly staleSince: (when: string) => string;
    readonly found: (count: number) => string;
    /** Why nothing is kept on this device for now. */
    readonly trouble: Readonly<Record<"full" | "broken", string>>;
    /** Home before the first movement. */
    readonly firstRun: Readonly<Record<"title" | "scan" | "look" | "approve" | "start", string>>;
    readonly newDevices: string;
    readonly selling: string;
    readonly mayPayFrom: (when: string) => string;
    /** An approved payment whose outcome is unknown. */
    readonly sent: { readonly unknown: (amount: string, payee: string) => string; readonly see: string };
    /** Codes that were scanned offline. */
    readonly drafts: Readonly<Record<"title" | "openAmount" | "expired" | "saved", string>> & {
      readonly until: (when: string) => string;
      readonly confirm: (payee: string) => string;
      readonly drop: (payee: string) => string;
    };
  };
}
