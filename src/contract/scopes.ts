/**
 * Scopes of an access token (RFC 6749 §3.3) by name, and what a token with it may do. Each operation of the service
 * needs one of them.
 */
export const scopes = Object.freeze({
  read: "Read everything that the entity may see; changes nothing.",
  pay: "Make, settle, reverse and cancel payments, transfers and payment codes.",
  users: "Create, change, block and unblock users.",
  quota: "Assign and discharge quota; repay, write off, cancel and import credits.",
  administration: "Change who may do what: API clients, settings, loan types, webhooks; close months.",
} satisfies Record<string, string>);

/** One scope of an access token. */
export type Scope = keyof typeof scopes;
