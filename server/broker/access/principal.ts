import type { Approval } from "../../../src/contract/broker/broker-answers.ts";

/** The ways in which people approve: with a passkey or, in the demo, by a button alone. */
export type AuthenticationMethod = Approval["method"];

/** Somebody who signed in, and is a user of the service. */
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

/** An operator's rights: to look, to work, or to decide. */
export type OperatorRole = "viewer" | "clerk" | "admin";

/** Somebody who signed in for the entity. */
export interface OperatorPrincipal {
  readonly kind: "operator";
  readonly personId: string;
  readonly role: OperatorRole;
  readonly sessionHash: Uint8Array;
}

/** Fields of a merchant, whichever of its keys was presented. */
interface Merchant {
  readonly merchantId: string;
  /** The merchant's user at the service: always the payee, never the payer. */
  readonly userId: string;
  readonly name: string;
  readonly openAmountLimit: bigint | undefined;
  /** The hash of the key that was presented. */
  readonly keyHash: Uint8Array;
  /** True if its tills may spend its user's quota, by this key. */
  readonly sellsTopUps: boolean;
  /** True if it may show any user's quota, by this key. */
  readonly firstParty: boolean;
  /** True if the merchant sells top-ups, and a second admin has to agree that the key may. */
  readonly restricted: boolean;
}

/** A merchant's backend, by its `sk_` key. */
export interface MerchantPrincipal extends Merchant {
  readonly kind: "merchant";
}

/** A page that knows only a merchant's `pk_` key. */
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
}

/** A session of kind recharge: may look one person up and sell a top-up from the merchant's own user. */
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

/** A widget session of any kind. */
export type WidgetPrincipal = PaySessionPrincipal | RechargeSessionPrincipal | QuotaSessionPrincipal;

/** A caller of a row that needs no credential. */
export interface VisitorPrincipal {
  readonly kind: "visitor";
  /** The session of a cookie that came along, so that signing in ends it. */
  readonly sessionHash?: Uint8Array;
  /** The browser's name and system, for the list of sessions. */
  readonly browser?: string;
}

/** The caller of the broker. */
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

/** The id that log, limits and audit name a principal by; no personal data. */
export function principalId(principal: Principal): string {
  if (principal.kind === "person" || principal.kind === "operator") return principal.personId;
  if (principal.kind === "merchant" || principal.kind === "publishable") return principal.merchantId;
  return principal.kind === "visitor" ? "-" : principal.sessionId;
}

/** Labels a principal for limits and log. */
export function principalLabel(principal: Principal): string {
  return `${principal.kind}:${principalId(principal)}`;
}
