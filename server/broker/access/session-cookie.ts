/**
 * The name of the session cookie. By the prefix `__Host-` the browser keeps it for this host alone, over a secure
 * connection (or localhost).
 */
export const SESSION_COOKIE = "__Host-cupo-session";

/** Longest life of a person's sign-in session, whatever the person does (security: Sign-in and recovery). */
export const ABSOLUTE_LIFE_SECONDS = 90 * 24 * 60 * 60;

/**
 * Time without activity after which a person's sign-in session ends; requests of open pages that only poll are no
 * activity.
 */
export const IDLE_LIFE_SECONDS = 30 * 24 * 60 * 60;

const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** Returns the `Set-Cookie` header that gives the browser the token of a new sign-in session. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${ABSOLUTE_LIFE_SECONDS}`;
}

/** Returns the `Set-Cookie` header that removes the session cookie from the browser. */
export function endedSessionCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
}

/** Reads the token of the session cookie from a request's headers; undefined where there is none, or more than one. */
export function readSessionCookie(headers: Headers): string | undefined {
  const values = (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
