/** `__Host-`: the browser keeps it for this host alone, over a secure connection (or localhost). */
export const SESSION_COOKIE = "__Host-cupo-session";

/** Longest life of a sign-in, whatever the person does (security: Sign-in and recovery). */
export const ABSOLUTE_LIFE_SECONDS = 90 * 24 * 60 * 60;

/** A person who does nothing for so long signs in again; open pages that only poll are no activity. */
export const IDLE_LIFE_SECONDS = 30 * 24 * 60 * 60;

const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** `Set-Cookie` of a new session. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${ABSOLUTE_LIFE_SECONDS}`;
}

/** `Set-Cookie` that takes the session from the browser. */
export function endedSessionCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
}

/** The session's token in a request; undefined when there is none, or two that contradict each other. */
export function readSessionCookie(headers: Headers): string | undefined {
  const values = (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
