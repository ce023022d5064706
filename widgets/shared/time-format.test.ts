import { expect, test } from "vitest";
import { formatTime } from "./time-format.ts";

/** By the machine's own time zone, as on a page. */
const MOMENT = new Date(2026, 10, 21, 9, 5);

test.each([
  ["es-CO", "hoy", "hoy, 09:05", /^21 de nov, 09:05$|^21 nov, 09:05$/],
  ["en", "today", "today, 09:05", /^Nov 21, 09:05$/],
  ["pt-BR", "hoje", "hoje, 09:05", /^21 de nov\., 09:05$/],
])("in %s a time of today has the word for it, and another one its day", (locale, today, short, long) => {
  expect(formatTime(MOMENT, locale, today)).toBe(short);
  expect(formatTime(MOMENT, locale)).toMatch(long);
});
