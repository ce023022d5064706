import { ApiError } from "./contract/shared/errors.ts";
import type { TokenSource } from "./token-source.ts";

/**
 * Sends a request with the current access token; if the upstream refuses the token (401), once more with a fresh one.
 */
export async function sendAuthorised<T>(tokens: TokenSource, send: (token: string) => Promise<T>): Promise<T> {
  const token = await tokens.get();
  try {
    return await send(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    tokens.invalidate(token);
    return send(await tokens.get());
  }
}
