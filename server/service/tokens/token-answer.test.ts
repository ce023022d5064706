import { describe, expect, it } from "vitest";
import { TokenError } from "../../../src/contract/service/token.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import { fits } from "../../../src/contract/shared/validate.ts";
import { tokenErrorShape } from "./token-answer.ts";

describe("errors of the machinery around the endpoint", () => {
  it.each([
    ["payload_too_large", 413, "invalid_request", "The body is over 256 KiB."],
    ["too_many_requests", 429, "temporarily_unavailable", "The body is over 256 KiB."],
    ["unavailable", 503, "temporarily_unavailable", "The service cannot answer now: try again later."],
    ["internal_error", 500, "temporarily_unavailable", "The service cannot answer now: try again later."],
  ] as const)("are worded for OAuth libraries, and say nothing of the inside: %s", (code, status, error, sentence) => {
    const shaped = tokenErrorShape(new ApiError(code, { detail: "The body is over 256 KiB." }));
    expect(shaped).toMatchObject({ status, body: { error, error_description: sentence } });
    expect(fits(TokenError, shaped.body)).toBe(true);
    expect(shaped.headers["Cache-Control"]).toBe("no-store");
  });
});
