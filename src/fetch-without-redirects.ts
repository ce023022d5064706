import type { ErrorCode } from "./contract/shared/errors.ts";

/** Statuses whose meaning does not depend on a problem document, which a proxy in between may not send. */
export const PLAIN_STATUSES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  401: "unauthorized",
  429: "too_many_requests",
  503: "unavailable",
});

/**
 * Makes a `fetch` for calls that carry a secret: it follows no redirect, so that the secret goes to the configured host
 * and nowhere else, and gives a plain 401, 429 or 503 the problem document that the client understands.
 */
export function fetchWithoutRedirects(given: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await given(input, { ...init, redirect: "error" });
    const code = PLAIN_STATUSES[response.status];
    if (code === undefined) return response;
    const document: unknown = await response.json().catch(() => undefined);
    const retryAfter = response.headers.get("retry-after");
    const said = Reflect.get(Object(document), "code") === code;
    return Response.json(said ? document : { code }, {
      status: response.status,
      headers: retryAfter === null ? {} : { "retry-after": retryAfter },
    });
  };
}
