import { describe, expect, it } from "vitest";
import { DatabaseUrlError, parseDatabaseUrl } from "./database-url.ts";

describe("a database address", () => {
  it("names one host on PostgreSQL's own port unless it says another", () => {
    expect(parseDatabaseUrl("postgres://ana:secret@db/cupo").hosts).toEqual([{ host: "db", port: 5432 }]);
    expect(parseDatabaseUrl("postgresql://db:6000/cupo").hosts).toEqual([{ host: "db", port: 6000 }]);
    expect(parseDatabaseUrl("postgres://[::1]:6000/cupo").hosts).toEqual([{ host: "::1", port: 6000 }]);
  });

  it("may name several hosts, and is then written for each alone, without the target", () => {
    const address = parseDatabaseUrl("postgres://ana:s%40c@a:1,b/cupo?target_session_attrs=read-write&sslmode=require");
    expect(address.targetSession).toBe("read-write");
    expect(address.hosts.map(address.urlOf)).toEqual([
      "postgres://ana:s%40c@a:1/cupo?sslmode=require",
      "postgres://ana:s%40c@b:5432/cupo?sslmode=require",
    ]);
    expect(parseDatabaseUrl("postgres://[::1]/cupo").urlOf({ host: "::1", port: 1 })).toBe("postgres://[::1]:1/cupo?");
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
