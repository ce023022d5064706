import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LaunchError } from "./embedded/launch-error.ts";
import { keepKey } from "./keep-key.ts";

const folder = join(tmpdir(), `cupo-key-${process.pid}`);

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the kept key", () => {
  it("is made once, of 32 bytes, for the owner's eyes", () => {
    const key = keepKey(folder, randomBytes);
    expect(key).toHaveLength(32);
    expect(keepKey(folder, randomBytes)).toEqual(key);
    expect(statSync(join(folder, "key")).mode & 0o777).toBe(0o600);
  });

  it("is never made anew beside a database that another one sealed", () => {
    mkdirSync(join(folder, "postgres"), { recursive: true });
    expect(() => keepKey(folder, randomBytes)).toThrow(/key is missing.*put it back/);
  });

  it("is refused when it was cut off or changed, and never repeated", () => {
    keepKey(folder, randomBytes);
    const path = join(folder, "key");
    const whole = readFileSync(path, "utf8").trim();
    for (const text of ["", whole.slice(1), `${whole.slice(0, 42)}!`, `${whole}AAAA`]) {
      writeFileSync(path, text);
      expect(() => keepKey(folder, randomBytes)).toThrow(LaunchError);
      expect(() => keepKey(folder, randomBytes)).toThrow("does not hold a key of 32 bytes");
    }
  });
});
