import type { Access, Operation } from "../../src/contract/shared/operation.ts";
import { scopes } from "../../src/contract/shared/scopes.ts";

function clientCredentials(tokenUrl: string | undefined): object {
  if (tokenUrl === undefined) return { type: "http", scheme: "bearer", bearerFormat: "JWT" };
  return { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes } } };
}

const cookie = { type: "apiKey", in: "cookie", name: "__Host-cupo-session" } as const;
/** Added to a cookie's description: Safari keeps no `__Host-` cookie without TLS. */
const OVER_HTTP = "Over http, on this machine alone, its name is `cupo-session`.";
const MERCHANT =
  "A merchant's server key, `sk_…`, which no page may have. A page starts sessions with the publishable key, `pk_…`, " +
  "and has nothing else.";
const keySchemes: Readonly<Record<Exclude<Access, "none" | "bearer">, object>> = {
  person: { ...cookie, description: `The signed-in person's session. ${OVER_HTTP}` },
  session: { ...cookie, description: `The session of whoever signed in, an operator too. ${OVER_HTTP}` },
  operator: { ...cookie, description: `An operator's session. ${OVER_HTTP}` },
  till: { type: "http", scheme: "bearer", description: "A widget session of kind recharge, `ws_…`." },
  finder: { type: "http", scheme: "bearer", description: "A till's session, `ws_…`, or a signed-in person's cookie." },
  seller: { type: "http", scheme: "bearer", description: "A till's session, `ws_…`, or a server key, `sk_…`." },
  widget: { type: "http", scheme: "bearer", description: "A widget session, `ws_…`." },
  merchant: { type: "http", scheme: "bearer", description: MERCHANT },
};

/** Returns the OpenAPI security schemes of those accesses that a contract uses, each under the access's name. */
export function securitySchemes(accesses: ReadonlySet<Access>, tokenUrl: string | undefined): Record<string, object> {
  const schemes: Record<string, object> = { bearer: clientCredentials(tokenUrl), ...keySchemes };
  return Object.fromEntries(Object.entries(schemes).filter(([access]) => accesses.has(access as Access)));
}

/**
 * Returns the security scheme that an operation asks for, with the scope that its token needs; none where anybody may
 * call.
 */
export function securityOf({ access, scope }: Operation): object[] {
  return access === "none" ? [] : [{ [access]: scope === undefined ? [] : [scope] }];
}
