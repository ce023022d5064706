import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSharedFiles } from "./shared-files.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cupo-shared-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe("shared files", () => {
  it("are one buffer for all who ask, also for those who ask at once", async () => {
    const files = createSharedFiles();
    const file = write("a.js", "first");
    const asked = await Promise.all(Array.from({ length: 20 }, () => files.read(folder, file)));
    const later = await files.read(folder, file);
    expect(new Set([...asked, later].map((read) => read?.bytes)).size).toBe(1);
  });

  it("are read anew when they have changed, and are gone when they are removed", async () => {
    const files = createSharedFiles();
    const file = write("b.js", "first");
    const first = await files.read(folder, file);
    write("b.js", "second");
    const second = await files.read(folder, file);
    expect(Buffer.from(second?.bytes ?? []).toString()).toBe("second");
    expect(second?.tag).not.toBe(first?.tag);
    rmSync(file);
    expect(await files.read(folder, file)).toBeUndefined();
  });

  it("are kept up to a number of bytes, those that were used last", async () => {
    const files = createSharedFiles(10);
    const [one, two, three] = ["1", "2", "3"].map((name) => write(name, "xxxx"));
    const bytesOf = async (file = "") => (await files.read(folder, file))?.bytes;
    const [first, second] = [await bytesOf(one), await bytesOf(two)];
    expect(await bytesOf(one)).toBe(first);
    await bytesOf(three);
    expect(await bytesOf(one)).toBe(first);
    expect(await bytesOf(two)).not.toBe(second);
  });

  it("lie inside the folder", async () => {
    const files = createSharedFiles();
    const outside = mkdtempSync(join(tmpdir(), "cupo-outside-"));
    writeFileSync(join(outside, "x.js"), "outside");
    symlinkSync(join(outside, "x.js"), join(folder, "link.js"));
    expect(await files.read(folder, join(folder, "link.js"))).toBeUndefined();
    expect(await files.read(folder, folder)).toBeUndefined();
    rmSync(outside, { recursive: true });
  });
});
