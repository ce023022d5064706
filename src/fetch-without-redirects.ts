import type { ErrorCode } from "./contract/shared/errors.ts";

/** Statuses whose meaning does not depend on a problem document, which a proxy in between may not send. */
const PLAIN_STATUSES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  401: "unauthorized",
  429: "too_many_requests",
  503: "unavailable",
});

/** Returns the problem document of a refusal: the answered one, or for a plain 401, 429 or 503 one with its code. */
export function documentOf(status: number, answered: unknown): unknown {
  const code = PLAIN_STATUSES[status];
  return code === undefined || Reflect.get(Object(answered), "code") === code ? answered : { code };
}

/**
 * Makes a `fetch` for calls that carry a secret: it follows no redirect, so that the secret goes to the configured host
 * and nowhere else, and gives a plain 401, 429 or 503 the problem document that the client understands.
 */
export function fetchWithoutRedirects(given: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await given(input, { ...init, redirect: "error" });
    const { status } = response;
    if (PLAIN_STATUSES[status] === undefined) return response;
    const answered: unknown = await response.json().catch(() => undefined);
    const retryAfter = response.headers.get("retry-after");
    return Response.json(documentOf(status, answered), {
      status,
      headers: retryAfter === null ? {} : { "retry-after": retryAfter },
    });
  };
}
