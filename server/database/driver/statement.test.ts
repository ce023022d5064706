import { expect, it, vi } from "vitest";
import { Statement } from "./statement.ts";

const rows = [{ one: 1 }];

it("runs when it is first awaited, once", async () => {
  const run = vi.fn(async () => rows);
  const statement = new Statement(["select 1"], [], run);
  expect(run).not.toHaveBeenCalled();
  expect(await statement).toBe(rows);
  expect(await statement.then((found) => found)).toBe(rows);
  expect(await statement.finally(() => undefined)).toBe(rows);
  expect(run).toHaveBeenCalledOnce();
});

it("runs at once when it is told to, and only when it is awaited otherwise", async () => {
  const run = vi.fn(async () => rows);
  const statement = new Statement(["select 1"], [], run).execute();
  expect(run).toHaveBeenCalledOnce();
  expect(await Promise.all([statement, statement])).toEqual([rows, rows]);
  expect(run).toHaveBeenCalledOnce();
});

it("fails with what it met", async () => {
  const statement = new Statement(["select 1"], [], () => Promise.reject(new Error("refused")));
  expect(await statement.catch((error) => String(error))).toBe("Error: refused");
  await expect(statement).rejects.toThrow("refused");
});
