import { expect, test } from "vitest";
import { localeOf } from "./language.ts";

test.each([
  ["", "es", "es-CO"],
  ["es", "es", "es-CO"],
  ["ES-mx", "es", "ES-mx"],
  ["en", "en", "en-GB"],
  ["en-US", "en", "en-US"],
  ["pt", "pt", "pt-BR"],
  ["pt-PT", "pt", "pt-PT"],
  ["tlh", "es", "es-CO"],
  ["constructor", "es", "es-CO"],
  ["en-", "en", "en-GB"],
  ["en_US-posix!", "es", "es-CO"],
])("lang %j speaks %s with the numbers of %s", (lang, language, tag) => {
  expect(localeOf(lang)).toEqual({ language, tag });
  expect(() => new Intl.NumberFormat(localeOf(lang).tag)).not.toThrow();
});
