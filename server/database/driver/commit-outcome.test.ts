import { describe, expect, it } from "vitest";
import { isCommitUnknown } from "../classify-database-error.ts";
import { commitFailure, doubtOf } from "./commit-outcome.ts";

describe("a commit that failed", () => {
  it.each(["40001", "40P01", "23503", "23505"])("with SQLSTATE %s was undone", (code) => {
    const error = { severity: "ERROR", code };
    expect(commitFailure(error)).toBe(error);
  });

  it.each(["57014", "57P01", "53100", "55P03", "XX000", "25006"])("with SQLSTATE %s is unknown", (code) => {
    expect(isCommitUnknown(commitFailure({ severity: "ERROR", code }))).toBe(true);
  });

  it("for a statement that travelled with it was not run, unless the connection was lost", () => {
    const [refused, lost] = [{ severity: "ERROR", code: "57014" }, Object.assign(new Error(), { code: "ECONNRESET" })];
    expect(commitFailure(refused, refused)).toBe(refused);
    expect(isCommitUnknown(commitFailure(lost, lost))).toBe(true);
  });

  it.each(["CONNECTION_CLOSED", "ECONNRESET", "40001"])("with %s of our own is unknown", (code) => {
    expect(isCommitUnknown(commitFailure(Object.assign(new Error(code), { code })))).toBe(true);
  });
});

it("a notice of the wait for a standby makes a commit unknown, any other does not", () => {
  expect(isCommitUnknown(doubtOf({ routine: "SyncRepWaitForLSN" }))).toBe(true);
  expect([doubtOf({ routine: "UserAbortTransactionBlock" }), doubtOf({})]).toEqual([undefined, undefined]);
});
