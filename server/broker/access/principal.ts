import type { Approval } from "../../../src/contract/broker/broker-answers.ts";

/** The ways in which people approve: with a passkey or, in the demo, by a button alone. */
export type AuthenticationMethod = Approval["method"];

/** A person who signed in: a user of the service, by the sign-in session of the request's cookie. */
export interface PersonPrincipal {
  readonly kind: "person";
  readonly personId: string;
  readonly userId: string;
  /** The method of the session, by which the person approves. */
  readonly method: AuthenticationMethod;
  /** The passkey that the session was started with. */
  readonly passkeyId?: string;
  /** Until then the device reads, and does not pay. */
  readonly mayPayFrom?: Date;
  /** The hash that the session is stored under, so that it can be ended. */
  readonly sessionHash: Uint8Array;
}

/**
 * The rights of an operator: a viewer looks; a clerk also invites and freezes people; an admin also decides on
 * merchants and lifts freezes.
 */
export type OperatorRole = "viewer" | "clerk" | "admin";

/** An operator who signed in for the entity, by the sign-in session of the request's cookie. */
export interface OperatorPrincipal {
  readonly kind: "operator";
  readonly personId: string;
  readonly role: OperatorRole;
  readonly sessionHash: Uint8Array;
}

/** Fields of a merchant, whichever of its keys was presented. */
interface Merchant {
  readonly merchantId: string;
  /** The merchant's user at the service: the payee of its codes, and the payer of the top-ups that its tills sell. */
  readonly userId: string;
  readonly name: string;
  readonly openAmountLimit: bigint | null;
  /** The origins that the merchant listed as its own. */
  readonly origins: readonly string[];
  /** The hash of the key that was presented. */
  readonly keyHash: Uint8Array;
  /** True if its tills may spend its user's quota, by this key. */
  readonly sellsTopUps: boolean;
  /** True if it may show any user's quota, by this key. */
  readonly firstParty: boolean;
  /** True if it may give back what its sessions were paid, by this key. */
  readonly refunds: boolean;
  /** True if the merchant sells top-ups, and a second admin has to agree that the key may. */
  readonly restricted: boolean;
}

/** A merchant's backend, authenticated by a server key (`sk_`). */
export interface MerchantPrincipal extends Merchant {
  readonly kind: "merchant";
}

/** A page that knows only a merchant's publishable key (`pk_`). */
export interface PublishablePrincipal extends Merchant {
  readonly kind: "publishable";
}

/** A page that holds a `ws_` session, of whatever kind. */
interface WidgetSessionPrincipal {
  readonly sessionId: string;
  readonly merchantId: string;
  /** The session's merchant, as a user of the service. */
  readonly userId: string;
  readonly origin: string;
  readonly shownUntil: Date;
}

/** A session of kind pay: may see one payment. */
interface PaySessionPrincipal extends WidgetSessionPrincipal {
  readonly kind: "paySession";
  readonly reference: string;
  /** How many attempts to pay the code were rejected: the service recorded each and moved no money. */
  readonly rejectedAttempts: number;
}

/**
 * A page with a session of kind recharge, a till: may look people up and sell them top-ups, which the merchant's own
 * user pays.
 */
export interface RechargeSessionPrincipal extends WidgetSessionPrincipal {
  readonly kind: "rechargeSession";
  /** The merchant's name. */
  readonly seller: string;
  readonly till: string | undefined;
  readonly maxAmount: bigint | undefined;
  readonly maxTotal: bigint | undefined;
}

/** A session of kind quota: may see one user's quota. */
interface QuotaSessionPrincipal extends WidgetSessionPrincipal {
  readonly kind: "quotaSession";
  /** The user whose quota it is. */
  readonly subjectUserId: string;
}

/** A page with the token of a widget session (`ws_`), by the kind of the session. */
export type WidgetPrincipal = PaySessionPrincipal | RechargeSessionPrincipal | QuotaSessionPrincipal;

/** The caller of an operation that needs no credential. */
export interface VisitorPrincipal {
  readonly kind: "visitor";
  /** The session of a cookie that came along, so that signing in ends it. */
  readonly sessionHash?: Uint8Array;
  /** The browser's name and system, for the list of sessions. */
  readonly browser?: string;
}

/** The caller of the broker, by the credential that the request carried. */
export type Principal =
  | PersonPrincipal
  | OperatorPrincipal
  | MerchantPrincipal
  | PublishablePrincipal
  | WidgetPrincipal
  | VisitorPrincipal;

/** The kinds of principals that the policy tells apart. */
export type PrincipalKind = Principal["kind"];

/** The principal of one kind. */
export type PrincipalOf<K extends PrincipalKind> = Extract<Principal, { kind: K }>;

/**
 * Returns the id by which log, limits and audit name a principal: that of the person or operator, of the merchant or of
 * the widget session, and `-` for a visitor; no personal data.
 */
export function principalId(principal: Principal): string {
  if (principal.kind === "person" || principal.kind === "operator") return principal.personId;
  if (principal.kind === "merchant" || principal.kind === "publishable") return principal.merchantId;
  return principal.kind === "visitor" ? "-" : principal.sessionId;
}

/** Returns kind and id of a principal in one text, for limits and log. */
export function principalLabel(principal: Principal): string {
  return `${principal.kind}:${principalId(principal)}`;
}
