import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../src/contract/shared/scopes.ts";
import { grantedScopes } from "./granted-scopes.ts";

describe("the scopes of a token", () => {
  it.each<[string | undefined, readonly Scope[], readonly Scope[]]>([
    ["quota  read", SCOPES, ["read", "quota"]],
    ["read read", SCOPES, ["read"]],
    ["administration", SCOPES, ["administration"]],
    [undefined, SCOPES, ["read", "pay", "users", "quota"]],
    [" ", SCOPES, ["read", "pay", "users", "quota"]],
    [undefined, ["pay", "administration"], ["pay"]],
  ])("asked for as %j of %j are %j", (asked, ofClient, granted) => {
    expect(grantedScopes(asked, ofClient)).toEqual(granted);
  });

  it.each(["administration", "read administration", "everything", "Read", "read,pay", "__proto__"])(
    "are none where %j is asked of a client that lacks a part of it",
    (asked) => {
      expect(() => grantedScopes(asked, ["read", "pay"])).toThrow("The client has the scopes read pay: ask for some");
    },
  );

  it("are to be named where the client has administration alone", () => {
    expect(() => grantedScopes(undefined, ["administration"])).toThrow(/^Name the scope/);
  });
});
