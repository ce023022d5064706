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

/** Every scope, in the order in which they are written. */
export const SCOPES: readonly Scope[] = Object.freeze(Object.keys(scopes) as Scope[]);

/** The scopes that the twenty operations of the interface need. Administration alone is asked for by name. */
export const ORDINARY_SCOPES: readonly Scope[] = Object.freeze(SCOPES.filter((scope) => scope !== "administration"));

/** Reads a list of scopes as RFC 6749 §3.3 writes it, separated by spaces; undefined where one of them is unknown. */
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
