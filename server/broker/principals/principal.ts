/** Somebody who signed in, and is a user of the service. */
export interface PersonPrincipal {
  readonly kind: "person";
  readonly personId: string;
  readonly userId: string;
  readonly demo: boolean;
  /** What the session is kept under, so that it can be ended. */
  readonly sessionHash: Uint8Array;
}

/** Somebody who signed in for the entity; can only sign out yet. */
export interface OperatorPrincipal {
  readonly kind: "operator";
  readonly personId: string;
  readonly sessionHash: Uint8Array;
}

/** What the broker knows of a merchant, whichever of its keys was shown. */
interface Merchant {
  readonly merchantId: string;
  /** The merchant's user at the service: always the payee, never the payer. */
  readonly userId: string;
  readonly name: string;
  readonly openAmountLimit: bigint | undefined;
}

/** A merchant's backend, by its `sk_` key. */
export interface MerchantPrincipal extends Merchant {
  readonly kind: "merchant";
}

/** A page that knows only a merchant's `pk_` key. */
export interface PublishablePrincipal extends Merchant {
  readonly kind: "publishable";
}

/** A page that holds a `ws_` session: may see one payment. */
export interface WidgetPrincipal {
  readonly kind: "widget";
  readonly sessionId: string;
  /** The session's merchant, as a user of the service. */
  readonly userId: string;
  readonly origin: string;
  readonly reference: string;
  readonly shownUntil: Date;
}

/** Nobody in particular. */
export interface VisitorPrincipal {
  readonly kind: "visitor";
  /** The session of a cookie that came along, so that signing in ends it. */
  readonly sessionHash?: Uint8Array;
}

/** Who calls the broker. */
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
  return principal.kind === "widget" ? principal.sessionId : "-";
}

/** What tells principals apart in limits and log. */
export function principalLabel(principal: Principal): string {
  return `${principal.kind}:${principalId(principal)}`;
}
