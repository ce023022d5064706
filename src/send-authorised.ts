import { ApiError } from "./contract/shared/errors.ts";
import type { TokenSource } from "./token-source.ts";

/** Sends once, and once again with a fresh token where the other side refused the current one. */
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
