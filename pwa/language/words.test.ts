import { expect, test } from "vitest";
import { startWords } from "../../src/language/tables/app.ts";
import { whenText } from "./words.ts";

test.each([
  ["es", "mañana a las 2:32\u00a0p.\u00a0m.", "mañana a la 1:05\u00a0p.\u00a0m.", "ayer a las 12:00\u00a0p.\u00a0m."],
  ["en", "tomorrow at 14:32", "tomorrow at 13:05", "yesterday at 12:00"],
  ["pt", "amanhã às 14:32", "amanhã às 13:05", "ontem às 12:00"],
] as const)("in a sentence of %s a time stands after its day as people say it", async (language, ...said) => {
  const { words } = await startWords[language]();
  const moments = [new Date(2026, 2, 31, 14, 32), new Date(2026, 2, 31, 13, 5), new Date(2026, 2, 29, 12)];
  const now = new Date(2026, 2, 30, 23, 59).getTime();
  expect(moments.map((moment) => whenText(moment, words, now))).toEqual(said);
});

test.each([
  ["es", "hoy a la 1:05\u00a0a.\u00a0m."],
  ["pt", "hoje à 01:05"],
] as const)("in %s one o'clock is one hour", async (language, said) => {
  const { words } = await startWords[language]();
  const night = new Date(2026, 2, 30, 1, 5);
  expect(whenText(night, words, night.getTime())).toBe(said);
});
