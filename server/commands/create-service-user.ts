import { ApiError } from "../../src/contract/shared/errors.ts";
import { createCupoClient } from "../../src/cupo-client.ts";
import { NO_CREDENTIALS, SERVICE_TIMEOUT_MS, type ServiceUser, whyUnchecked } from "./find-service-user.ts";
import { type CommandContext, CommandError } from "./terminal-command.ts";

/** A business to register as a user of the service: its name, and the keys that no other user has. */
export interface NewServiceUser {
  readonly name: string;
  readonly nit: string;
  readonly phone: string;
}

function refusalOf(error: ApiError): CommandError {
  const taken = error.faults.map(({ pointer = "" }) => pointer.slice(1)).join(" and ");
  if (error.code === "duplicate_user")
    return new CommandError(
      `Another user of the service has that ${taken}: --nit without --new-user names a user there.`,
    );
  return new CommandError(`The service made no user: it answered ${error.code}. ${error.detail ?? ""}`.trimEnd());
}

/**
 * Registers a business at the service, with the broker's credentials, so that its own entity may debit it. Throws
 * {@link CommandError} where the service refuses it, cannot be asked, or gave no answer.
 */
export async function createServiceUser(
  { serviceAccess, random }: Pick<CommandContext, "serviceAccess" | "random">,
  { name, nit, phone }: NewServiceUser,
): Promise<ServiceUser & { readonly id: string }> {
  if (serviceAccess === undefined) {
    const { unchecked, remedy } = NO_CREDENTIALS;
    throw new CommandError(`A user is made at the service, but ${unchecked}: ${remedy}.`);
  }
  const client = createCupoClient({ ...serviceAccess, random, timeoutMs: SERVICE_TIMEOUT_MS, tries: 1 });
  try {
    const { body } = await client.createUser({ body: { name, business_name: name, nit, phone } });
    return { id: body.id, name, quota: body.quota };
  } catch (error) {
    if (error instanceof ApiError) throw refusalOf(error);
    const { unchecked, remedy } = whyUnchecked(error, serviceAccess.baseUrl);
    throw new CommandError(
      `It is not known that the user was made: ${unchecked}. Say --nit alone to look, or ${remedy}.`,
    );
  }
}
