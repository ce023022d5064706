import { parsePhoneNumberFromString } from "libphonenumber-js";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { LedgerAccount } from "../../ledger/model/state.ts";
import { USERS } from "../../ledger/model/tables.ts";
import type { WholeUser } from "../../ledger/model/user-commands.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** The region of a phone number without a country code. */
export const DEFAULT_REGION = "CO";

const UNSEEN = ["apnTokenHash", "createdAt", "changedId"] as const;

/** The fields of a user that answers are made of, and the posted and held balance of its account in minor units. */
export interface UserRecord
  extends Omit<WholeUser, (typeof UNSEEN)[number] | "status" | "paymentData">,
    Pick<LedgerAccount, "posted" | "held"> {
  readonly status: "active" | "arrear" | "default";
  readonly paymentData: Readonly<Record<string, unknown>>;
}

/**
 * The key of a user look-up: an id, a nit or a phone. A nit beside an id is not searched for: the caller compares it
 * with that of the user found.
 */
export type UserKey =
  | { readonly id: string; readonly nit?: string }
  | { readonly nit: string }
  | { readonly phone: string };

/** Returns a nit as it is stored: without dots and hyphens, in capitals. */
export function bareNit(nit: string): string {
  return nit.replace(/[.-]/g, "").toUpperCase();
}

/** A phone number in E.164 form; undefined when it is none. */
export function barePhone(phone: string): string | undefined {
  const parsed = parsePhoneNumberFromString(phone, DEFAULT_REGION);
  return parsed?.isValid() ? parsed.number : undefined;
}

/** Finds a user by id, nit or phone; one lookup by a unique index. */
export async function findUser({ sql }: Pick<ServiceContext, "sql">, key: UserKey): Promise<UserRecord | undefined> {
  const condition =
    "id" in key
      ? sql`id = ${key.id}`
      : "nit" in key
        ? sql`nit = ${bareNit(key.nit)}`
        : sql`phone = ${barePhone(key.phone) ?? ""}`;
  const [row] = await sql<(Omit<UserRecord, "paymentData"> & { readonly paymentData: string })[]>`
    select ${columnsOf(sql, USERS, UNSEEN)}, posted, held
    from service.users join service.accounts using (id) where ${condition}`;
  return row && { ...row, paymentData: parseExactJson(row.paymentData) as UserRecord["paymentData"] };
}
