import type { FoundUser as UserAnswer } from "../../src/contract/service/users.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { createCupoClient } from "../../src/cupo-client.ts";
import { TokenSourceError } from "../../src/token-source.ts";
import { type CommandContext, CommandError, plainText } from "./terminal-command.ts";

/** The key by which a command names a user of the service. */
export type WantedUser = { readonly id: string } | { readonly nit: string } | { readonly phone: string };

/** The reason why a user could not be looked up at the service, and the remedy. */
interface Unchecked {
  readonly unchecked: string;
  readonly remedy: string;
}

/** A user found at the service, or the reason why the service could not be asked. */
export type ServiceUser =
  | { readonly id: string; readonly name: string; readonly quota: number | null }
  | ({ readonly id: string | undefined } & Unchecked);

const NOT_YOURS =
  "belongs to another entity, whose users this installation cannot debit: only users of its own entity use its app.";
/** The longest that a command waits for an answer of the service. */
export const SERVICE_TIMEOUT_MS = 5_000;

/** The reason and remedy of a command that has no credentials for the service. */
export const NO_CREDENTIALS: Unchecked = {
  unchecked: "this installation has no credentials of a broker here",
  remedy: "run this with the broker's CUPO_BASE_URL, CUPO_CLIENT_ID and CUPO_CLIENT_SECRET, or run npm start once",
};

/** Words why the service at that address could not be asked, for an error of the call. */
export function whyUnchecked(error: unknown, baseUrl: string): Unchecked {
  if (error instanceof TokenSourceError && error.refused) {
    const unchecked = `the service at ${baseUrl} does not take the broker's credentials`;
    return { unchecked, remedy: "run this with those of the broker (CUPO_CLIENT_ID, CUPO_CLIENT_SECRET)" };
  }
  if (error instanceof ApiError) {
    return { unchecked: `the service at ${baseUrl} answered ${error.code}`, remedy: "try again" };
  }
  const remedy = "start Cupo, or set CUPO_BASE_URL to where its service runs";
  return { unchecked: `the service at ${baseUrl} does not answer`, remedy };
}

/** A user whom the broker can debit; throws {@link CommandError} for another entity's. */
function ownUser({ id, name, business_name, quota, yours }: UserAnswer): ServiceUser {
  if (!yours) throw new CommandError(`${plainText(name)} (${id}) ${NOT_YOURS}`);
  return { id, name: business_name ?? name, quota };
}

/**
 * Looks a user up as the broker would: at the service, with the broker's credentials; returns the reason where the
 * service cannot be asked. Throws {@link CommandError} where the service says that there is none, or that another
 * entity created it.
 */
export async function findServiceUser(
  { serviceAccess, random }: Pick<CommandContext, "serviceAccess" | "random">,
  wanted: WantedUser,
): Promise<ServiceUser> {
  const id = "id" in wanted ? wanted.id : undefined;
  if (serviceAccess === undefined) return { id, ...NO_CREDENTIALS };
  const client = createCupoClient({ ...serviceAccess, random, timeoutMs: SERVICE_TIMEOUT_MS, tries: 1 });
  try {
    const { body } = await client.user({ query: wanted });
    return ownUser(body);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof ApiError && (error.code === "user_not_found" || error.code === "invalid_request")) {
      const [name, text] = Object.entries(wanted)[0] ?? [];
      const [fault] = error.faults;
      throw new CommandError(
        fault === undefined ? `The service has no user with ${name} ${text}.` : `The ${name} ${fault.detail}.`,
      );
    }
    return { id, ...whyUnchecked(error, serviceAccess.baseUrl) };
  }
}
