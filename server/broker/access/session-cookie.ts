/** By the prefix `__Host-` the browser keeps it for this host alone, over a secure connection. */
const SECURE_NAME = "__Host-cupo-session";

/** On this machine without TLS, where Safari keeps no secure cookie. */
const PLAIN_NAME = "cupo-session";

/** Longest life of a person's sign-in session, whatever the person does (security: Sign-in and recovery). */
export const ABSOLUTE_LIFE_SECONDS = 90 * 24 * 60 * 60;

/**
 * Time without activity after which a person's sign-in session ends; requests of open pages that only poll are no
 * activity.
 */
export const IDLE_LIFE_SECONDS = 30 * 24 * 60 * 60;

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";

/** The origin at which browsers reach the broker. */
interface Reached {
  readonly publicOrigin: string;
}

function isSecure({ publicOrigin }: Reached): boolean {
  return publicOrigin.startsWith("https://");
}

/** Returns the name of the session cookie. */
export function sessionCookieName(broker: Reached): string {
  return isSecure(broker) ? SECURE_NAME : PLAIN_NAME;
}

function cookieOf(broker: Reached, value: string, maxAge: number): string {
  return `${sessionCookieName(broker)}=${value}; ${ATTRIBUTES}; ${isSecure(broker) ? "Secure; " : ""}Max-Age=${maxAge}`;
}

/** Returns the `Set-Cookie` header that gives the browser the token of a new sign-in session. */
export function sessionCookie(broker: Reached, token: string): string {
  return cookieOf(broker, token, ABSOLUTE_LIFE_SECONDS);
}

/** Returns the `Set-Cookie` header that removes the session cookie from the browser. */
export function endedSessionCookie(broker: Reached): string {
  return cookieOf(broker, "", 0);
}

/** Reads the token of the session cookie from a request's headers; undefined where there is none, or more than one. */
export function readSessionCookie(broker: Reached, headers: Headers): string | undefined {
  const name = sessionCookieName(broker);
  const values = (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
