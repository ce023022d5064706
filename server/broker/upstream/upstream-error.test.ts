import { describe, expect, it } from "vitest";
import { NoAnswerError } from "../../../src/client.ts";
import { ApiError, type ErrorCode } from "../../../src/contract/shared/errors.ts";
import { isCertainRefusal, upstreamError } from "./upstream-error.ts";

const refused = (code: ErrorCode): boolean => isCertainRefusal(upstreamError(new ApiError(code)));

describe("a refusal of a write that may have been tried before", () => {
  it.each(["qr_already_paid", "payer_not_yours", "user_not_found", "invalid_request"] as const)(
    "is certain that nothing was carried out: %s",
    (code) => expect(refused(code)).toBe(true),
  );

  it.each(["unauthorized", "not_allowed", "too_many_requests", "request_in_progress", "internal_error"] as const)(
    "says nothing of the earlier try: %s",
    (code) => expect(refused(code)).toBe(false),
  );

  it("is none where there was no answer, and none that the broker made itself", () => {
    expect(isCertainRefusal(upstreamError(new NoAnswerError("gone")))).toBe(false);
    expect(isCertainRefusal(new ApiError("qr_already_paid"))).toBe(false);
  });
});
