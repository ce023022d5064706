import { expect, test } from "vitest";
import { userQuotaWords } from "./user-quota-words.ts";

test("no sentence shouts, and none is empty", () => {
  const words = JSON.stringify(userQuotaWords);
  expect(words).not.toMatch(/[!¡]/);
  expect(words).not.toContain('""');
});

test("a refusal says what became of the permission and of the quota, and what to do", () => {
  const said = Object.values(userQuotaWords).map(({ refused: { title, text } }) => `${title}. ${text}`);
  expect(said[0]).toMatch(/permiso.*cupo no cambió.*app/);
  expect(said[1]).toMatch(/permission.*quota has not changed.*app/);
  expect(said[2]).toMatch(/permissão.*limite não mudou.*app/);
});
