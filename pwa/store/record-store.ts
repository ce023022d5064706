import type { Me, Movement } from "../../src/contract/broker/broker.ts";
import type { NicknameMap } from "../contacts/name-movements.ts";
import type { Draft } from "./draft.ts";
import type { PendingApproval } from "./pending-approval.ts";

/**
 * Name of a list of movements at the broker, of which the device keeps a copy: `history` has the payments, `transfers`
 * the transfers of balance.
 */
export type ListName = "history" | "transfers";

/** Position up to which one list has been read from the broker. */
export interface SyncPosition {
  /** The token to ask changes since; absent where the broker gives none. */
  readonly token?: string;
  /** Cursor at which the first reading goes on; absent at its start and its end. */
  readonly cursor?: string;
  /** True once the whole list has been read, so that changes are enough from then on. */
  readonly whole: boolean;
}

/** All kept data but the movements and drafts. */
export interface Metadata {
  readonly me?: Me;
  /** When the broker last confirmed the movements, as an instant. */
  readonly asOf?: string;
  /** The latest instant that the device's clock has shown since; recorded when the broker did not answer. */
  readonly seenAt?: string;
  /** The person's nicknames for others, by user id. */
  readonly nicknames?: NicknameMap;
  /** Approvals whose outcome is not known, oldest first. */
  readonly pendingApprovals: readonly PendingApproval[];
  readonly positions: Readonly<Partial<Record<ListName, SyncPosition>>>;
}

/** Longest time without an answer of the broker for which the movements are shown. */
const SHOWN_FOR_MS = 30 * 24 * 60 * 60_000;

/** Tolerated correction of the clock, such as one by a wrong time zone; more than that is a clock turned back. */
const TURNED_BACK_MS = 24 * 60 * 60_000;

/**
 * True if kept movements must not be shown at an instant (Unix milliseconds): the broker did not answer for 30 days, or
 * the clock was turned back, so that nobody knows for how long.
 */
export function mustHide({ asOf, seenAt = asOf }: Partial<Metadata>, now: number): boolean {
  return now - Date.parse(asOf ?? "") > SHOWN_FOR_MS || Date.parse(seenAt ?? "") - now > TURNED_BACK_MS;
}

/** A change to store: all of it, or nothing when it fails. */
export interface RecordChange {
  readonly me?: Me;
  readonly asOf?: string;
  readonly seenAt?: string;
  readonly nicknames?: NicknameMap;
  readonly movements?: readonly Movement[];
  /** How far a list has been read; without a place it is read anew. */
  readonly position?: { readonly list: ListName; readonly at: SyncPosition | undefined };
  /** A draft to keep, unless its code waits already. */
  readonly draft?: Draft;
  /** Id of a draft to delete. */
  readonly droppedDraft?: string;
  /** All approvals whose outcome is not known. */
  readonly pendingApprovals?: readonly PendingApproval[];
}

/** Number of the movements to read, and their direction. */
export interface Latest {
  readonly count: number;
  readonly direction?: Movement["direction"];
}

/** Storage of one person's data: the browser's database, or memory where there is none. */
export interface RecordStore {
  metadata(): Promise<Metadata>;
  movement(id: string): Promise<Movement | undefined>;
  /** The newest, newest first. */
  latest(wanted: Latest): Promise<readonly Movement[]>;
  /** Every movement, newest first. */
  all(): Promise<readonly Movement[]>;
  drafts(): Promise<readonly Draft[]>;
  write(change: RecordChange): Promise<void>;
  close(): void;
}

/** Compares two movements for sorting, newest first: by time, then by id where two have the same. */
export function newestFirst(one: Movement, other: Movement): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
