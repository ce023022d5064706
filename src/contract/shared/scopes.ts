/**
 * Scopes of an access token (RFC 6749 §3.3) by name, and what a token with it may do. Each operation of the service
 * needs one of them.
 */
export const scopes = Object.freeze({
  read: "Read everything that the entity may see; changes nothing.",
  pay: "Make, settle, reverse and cancel payments, transfers and payment codes.",
  users: "Create, change, block and unblock users.",
  quota: "Assign and discharge quota; repay, write off, cancel and import credits.",
  administration:
    "Change who may do what: API clients, settings, limits for other entities and settlements with them, loan types, " +
    "webhooks; close months.",
} satisfies Record<string, string>);

/** One scope of an access token. */
export type Scope = keyof typeof scopes;

/** Every scope, in the order of {@link scopes}, in which {@link parseScopes} returns them too. */
export const SCOPES: readonly Scope[] = Object.freeze(Object.keys(scopes) as Scope[]);

/**
 * All scopes but `administration`: a token request that names no scope gets those of them that the client has;
 * `administration` is granted only if the request names it.
 */
export const ORDINARY_SCOPES: readonly Scope[] = Object.freeze(SCOPES.filter((scope) => scope !== "administration"));

/**
 * Reads scopes separated by spaces (RFC 6749 §3.3) and returns each once, in the order of {@link SCOPES}; undefined if
 * one of them is unknown.
 */
export function parseScopes(text: string): readonly Scope[] | undefined {
  const names = text.split(" ").filter((name) => name !== "");
  return names.every((name) => Object.hasOwn(scopes, name))
    ? SCOPES.filter((scope) => names.includes(scope))
    : undefined;
}

/** Writes a list of scopes as RFC 6749 §3.3 has it. */
export function formatScopes(list: readonly Scope[]): string {
  return list.join(" ");
}
