import type { ChangedUser, FoundUser, User } from "../../../src/contract/service/users.ts";
import type { SuggestedStatus } from "../../ledger/decide/days-past-due.ts";
import { type ServiceContext, toNumber } from "../shared/service-context.ts";
import type { UserRecord } from "./find-user.ts";

type History = readonly Readonly<Record<string, unknown>>[];

/** The suggested status and the history that a user's answer shows beside the user's record. */
export interface UserView {
  /** By the creator's own open credits. */
  readonly suggestedStatus?: SuggestedStatus | undefined;
  readonly history: History;
}

/** Builds the answer of a user for the user's creator, with balances and private fields. */
export function userAnswer(
  record: UserRecord,
  { suggestedStatus, history }: UserView,
  { currency }: Pick<ServiceContext, "currency">,
): User {
  return {
    id: record.id,
    name: record.name,
    business_name: record.businessName,
    bussines_name: record.businessName,
    nit: record.nit,
    phone: record.phone,
    email: record.email,
    address: record.address,
    image: record.image,
    quota: toNumber(currency, record.posted),
    quota_available: toNumber(currency, record.posted - record.held),
    score: record.score,
    status: record.status,
    ...(suggestedStatus === undefined ? {} : { suggested_status: suggestedStatus }),
    history: [...history],
    payment_data: record.paymentData,
    ...(record.blockedAt === null ? {} : { blocked: true }),
  };
}

type PublicUser = Pick<UserRecord, "id" | "name" | "businessName" | "status">;

/**
 * Builds the answer of a user without private fields: id, the names, so that a payer knows the payee, and the set
 * status; the other fields are null, empty or left out.
 */
export function publicUser({ id, name, businessName, status }: PublicUser): ChangedUser {
  return {
    id,
    name,
    business_name: businessName,
    bussines_name: businessName,
    nit: null,
    phone: null,
    email: null,
    address: null,
    image: null,
    quota: null,
    quota_available: null,
    score: null,
    status,
    history: [],
    payment_data: null,
  };
}

/** Builds the answer of a user for any other entity than its creator: no private fields, and the given history. */
export function foreignUserAnswer(record: UserRecord, history: History): FoundUser {
  return { ...publicUser(record), history: [...history], yours: false };
}
