import type { User } from "../../../src/contract/users.ts";
import type { SuggestedStatus } from "../../ledger/decide/days-past-due.ts";
import { type ServiceContext, toNumber } from "../service-context.ts";
import type { UserRecord } from "./find-user.ts";

/** What an entity may know of a user: all for the creator and for who holds an open credit, else no private fields. */
export interface UserView {
  readonly isPrivate: boolean;
  /** Only the creator is told of a block. */
  readonly isCreator: boolean;
  /** By the caller's own open credits, where the caller may know it. */
  readonly suggestedStatus?: SuggestedStatus;
  readonly history: readonly Readonly<Record<string, unknown>>[];
}

/** A user as an entity is answered it. */
export function userAnswer(
  record: UserRecord,
  { isPrivate, isCreator, suggestedStatus, history }: UserView,
  { currency }: ServiceContext,
): User {
  return {
    id: record.id,
    name: record.name,
    business_name: record.businessName,
    bussines_name: record.businessName,
    nit: record.nit,
    phone: record.phone,
    email: isPrivate ? null : record.email,
    address: isPrivate ? null : record.address,
    image: record.image,
    quota: toNumber(currency, record.posted),
    quota_available: toNumber(currency, record.posted - record.held),
    score: isPrivate ? null : record.score,
    status: record.status,
    ...(suggestedStatus === undefined ? {} : { suggested_status: suggestedStatus }),
    history: [...history],
    payment_data: isPrivate ? {} : record.paymentData,
    ...(isCreator && record.blockedAt !== null ? { blocked: true } : {}),
  };
}
