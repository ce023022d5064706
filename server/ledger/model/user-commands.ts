import type { RecordOf } from "./columns.ts";
import type { NewUser } from "./command.ts";
import type { USERS } from "./tables.ts";

/** A user's record with all of its fields; the balance is its account's. */
export type WholeUser = RecordOf<typeof USERS>;

/** The fields of a user that its creator may change. */
export type UserChanges = Partial<Omit<NewUser, "apnTokenHash"> & Pick<WholeUser, "importedHistory">>;

/** Changes those fields of a user that `changes` has; the others stay as they are. */
export interface UpdateUser {
  readonly type: "update-user";
  readonly userId: string;
  readonly changes: UserChanges;
}

/** Blocks a user as a payer, or lets it pay again. */
export interface BlockUser {
  readonly type: "block-user";
  readonly userId: string;
  readonly isBlocked: boolean;
}

/** A changed user and the balance of its account. */
export interface ChangedUserRecord extends WholeUser {
  readonly posted: bigint;
  readonly held: bigint;
}
