import type { Me, Movement } from "../../src/contract/broker.ts";
import type { Draft } from "../drafts/draft.ts";
import type { Sent } from "../payment/sent.ts";

/** A list of the broker's that is kept on the device. */
export type ListName = "history" | "transfers";

/** How far one list has been read. */
export interface ListPlace {
  /** What to ask changes since; absent where the broker gives no token. */
  readonly token?: string;
  /** Where the first reading goes on; absent at its begin and its end. */
  readonly cursor?: string;
  /** Whether everything has been read once, so that from now on changes are enough. */
  readonly whole: boolean;
}

/** The small facts about what is kept. */
export interface Facts {
  readonly me?: Me;
  /** When the broker last confirmed the movements, as an instant. */
  readonly asOf?: string;
  /** What was approved while its outcome is not known, oldest first. */
  readonly sent: readonly Sent[];
  readonly places: Readonly<Partial<Record<ListName, ListPlace>>>;
}

/** Something to keep: all of it, or nothing when it fails. */
export interface ShelfChange {
  readonly me?: Me;
  readonly asOf?: string;
  readonly movements?: readonly Movement[];
  /** How far a list has been read; without a place it is read anew. */
  readonly place?: { readonly list: ListName; readonly place: ListPlace | undefined };
  readonly draft?: Draft;
  /** The id of a draft that is settled. */
  readonly droppedDraft?: string;
  /** All that was approved while its outcome is not known. */
  readonly sent?: readonly Sent[];
}

/** What to read of the movements. */
export interface Latest {
  readonly count: number;
  readonly direction?: Movement["direction"];
}

/** Where one person's data is kept: in the browser's database, or in memory where there is none to be had. */
export interface Shelf {
  facts(): Promise<Facts>;
  movement(id: string): Promise<Movement | undefined>;
  /** The newest, newest first. */
  latest(wanted: Latest): Promise<readonly Movement[]>;
  /** Every movement, newest first. */
  all(): Promise<readonly Movement[]>;
  drafts(): Promise<readonly Draft[]>;
  write(change: ShelfChange): Promise<void>;
  close(): void;
}

/** Newest first: by time, then by id where two have the same. */
export function newestFirst(one: Movement, other: Movement): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
