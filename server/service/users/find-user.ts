import { parsePhoneNumberFromString } from "libphonenumber-js";
import { parseExactJson } from "../../../src/parse-exact-json.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** The region of a phone number without a country code. */
export const DEFAULT_REGION = "CO";

/** A user with all fields, and the posted and held balance of the user's account in minor units. */
export interface UserRecord {
  readonly id: string;
  readonly creatorId: string;
  readonly name: string;
  readonly businessName: string | null;
  readonly nit: string;
  readonly phone: string;
  readonly email: string | null;
  readonly address: string | null;
  readonly image: string | null;
  readonly score: number | null;
  readonly status: "active" | "arrear" | "default";
  readonly paymentData: Readonly<Record<string, unknown>>;
  readonly blockedAt: Date | null;
  /** JSON text: the creator's own records. */
  readonly importedHistory: string;
  readonly posted: bigint;
  readonly held: bigint;
}

/** A look-up key: one of the three, or an id with a nit that is to be compared with the user's. */
export type UserKey =
  | { readonly id: string; readonly nit?: string }
  | { readonly nit: string }
  | { readonly phone: string };

/** A nit as it is kept: letters and digits only, in capitals. */
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
      ? sql`u.id = ${key.id}`
      : "nit" in key
        ? sql`u.nit = ${bareNit(key.nit)}`
        : sql`u.phone = ${barePhone(key.phone) ?? ""}`;
  const [row] = await sql<(Omit<UserRecord, "paymentData"> & { readonly paymentData: string })[]>`
    select u.id, u.creator_id as "creatorId", u.name, u.business_name as "businessName", u.nit, u.phone, u.email,
      u.address, u.image, u.score, u.status, u.payment_data as "paymentData", u.blocked_at as "blockedAt",
      u.imported_history as "importedHistory", a.posted, a.held
    from service.users u join service.accounts a on a.id = u.id where ${condition}`;
  return row && { ...row, paymentData: parseExactJson(row.paymentData) as UserRecord["paymentData"] };
}
