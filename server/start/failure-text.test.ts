import { describe, expect, it } from "vitest";
import { ConfigError } from "../config/config.ts";
import { connect, PoolerError } from "../database/connect.ts";
import { SealError } from "../database/sealer.ts";
import { failureText } from "./failure-text.ts";

async function errorOfNoDatabase(): Promise<unknown> {
  const sql = connect("postgres://cupo:secret-word@127.0.0.1:1/cupo", { max: 1, applicationName: "cupo test" });
  try {
    return await sql`select 1`.catch((error: unknown) => error);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

describe("what the terminal is told", () => {
  it("is the sentence alone where the sentence says what to do", () => {
    expect(failureText(new SealError("Start with the other key."))).toBe("Start with the other key.");
    expect(failureText(new PoolerError())).toMatch(/^The database is reached through a connection pooler.*own\.$/);
    expect(failureText(new ConfigError(["CUPO_PORT is empty."]))).not.toContain("\n    at ");
  });

  it("is to start the database when none answers, without its password", async () => {
    const text = failureText(await errorOfNoDatabase());
    expect(text).toMatch(/^The database cannot be reached \(.*ECONNREFUSED 127\.0\.0\.1:1\): start it, or correct/);
    expect(text).not.toContain("secret-word");
    expect(text).not.toContain("\n    at ");
  });

  it("is the file or folder that cannot be used", () => {
    const error = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", path: "/srv/data/key" });
    expect(failureText(error)).toMatch(
      /^\/srv\/data\/key cannot be used \(EACCES\): give it to this user.*CUPO_DATA_DIR/,
    );
  });

  it("is the stack of a bug, and the text of what is no error", () => {
    expect(failureText(new TypeError("oops"))).toContain("\n    at ");
    expect(failureText("odd")).toBe("odd");
  });
});
