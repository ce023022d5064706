import { type ServiceContract, serviceContract } from "../../../../src/contract/service/service.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { QueryOf } from "../../../../src/contract/shared/operation.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";

type UserKey = NonNullable<QueryOf<ServiceContract["user"]>>;

/** The part of the service that tells of one user, as a grant passes it. */
interface UserSource<U> {
  readonly user: (key: Partial<UserKey>) => Promise<{ readonly body: U }>;
}

/** True if the service said that nobody has the key, or that the text can be no such key at all. */
function isMiss(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === "user_not_found") return true;
  return error.cause instanceof ApiError && error.cause.code === "invalid_request";
}

/**
 * Asks the service for the one user with an id, phone or nit; undefined for nobody, and for a text that can be none.
 */
export async function findUser<U>(service: UserSource<U>, key: Partial<UserKey>): Promise<U | undefined> {
  if (!fits(serviceContract.user.query, key)) return undefined;
  try {
    return (await service.user(key)).body;
  } catch (error) {
    if (isMiss(error)) return undefined;
    throw error;
  }
}
