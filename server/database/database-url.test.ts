import { describe, expect, it } from "vitest";
import { DatabaseUrlError, parseDatabaseUrl } from "./database-url.ts";

describe("a database address", () => {
  it("names one host on PostgreSQL's own port unless it says another", () => {
    expect(parseDatabaseUrl("postgres://ana:secret@db/cupo").hosts).toEqual([{ host: "db", port: 5432 }]);
    expect(parseDatabaseUrl("postgresql://db:6000/cupo").hosts).toEqual([{ host: "db", port: 6000 }]);
    expect(parseDatabaseUrl("postgres://[::1]:6000/cupo").hosts).toEqual([{ host: "::1", port: 6000 }]);
  });

  it("may name several hosts, a target, an encryption and settings of the session", () => {
    const options = "target_session_attrs=read-write&sslmode=require&lock_timeout=5s";
    expect(parseDatabaseUrl(`postgres://ana:s%40c:1@a:1,b/cu%20po?${options}`)).toEqual({
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 5432 },
      ],
      ...{ user: "ana", password: "s@c:1", database: "cu po", targetSession: "read-write" },
      ...{ encryption: "required", isDirectlyEncrypted: false, settings: { lock_timeout: "5s" } },
    });
  });

  it.each([
    ["", "none"],
    ["?sslmode=disable", "none"],
    ["?sslmode=prefer", "preferred"],
    ["?sslmode=allow", "required"],
    ["?sslmode=require", "required"],
    ["?ssl=require", "required"],
    ["?sslmode=verify-ca", "verified"],
    ["?sslmode=verify-full", "verified"],
    ["?sslmode=any-other", "verified"],
  ])("with the options '%s' has the encryption %s", (options, encryption) => {
    expect(parseDatabaseUrl(`postgres://db/cupo${options}`).encryption).toBe(encryption);
  });

  it.each([
    "",
    "localhost:5432/cupo",
    "mysql://ana:secret@db/cupo",
    "postgres://ana:secret@db",
    "postgres://ana:secret@db/",
    "postgres://ana:secret@db:0/cupo",
    "postgres://ana:secret@db:65536/cupo",
    "postgres://ana:secret@a:1:2/cupo",
    "postgres://ana:secret@a,,b/cupo",
    "postgres://ana:100%secret@db/cupo",
    "postgres://ana:secret@a,b/cupo?target_session_attrs=any-old",
  ])("is refused without repeating any of its secrets: %s", (text) => {
    const refused = expect(() => parseDatabaseUrl(text));
    refused.toThrow(DatabaseUrlError);
    refused.not.toThrow(/secret/);
  });
});
