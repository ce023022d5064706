import { expect, test } from "vitest";
import { type Language, languages } from "../../src/language/languages.ts";
import { rechargeFormWords } from "../../src/language/tables/elements.ts";
import { filled, meaningOf } from "./recharge-form-words.ts";

const LANGUAGES = Object.keys(languages) as Language[];

test("no sentence shouts, and each has a place for what is filled in where the other languages have one", () => {
  const [spanish, ...others] = LANGUAGES.map((language) => Object.values(rechargeFormWords[language]));
  expect(JSON.stringify([spanish, others])).not.toMatch(/[!¡]/);
  const places = (sentences: readonly string[] = []) => sentences.map((sentence) => sentence.split("%").length);
  for (const sentences of others) expect(places(sentences)).toEqual(places(spanish));
});

test.each(LANGUAGES)("in %s, every reason that a till is told has its own sentence", (language) => {
  const words = rechargeFormWords[language];
  const codes = "insufficient_balance limit_exceeded payer_blocked not_allowed user_not_found look_up_expired".split(
    " ",
  );
  expect(new Set(codes.map((code) => meaningOf(code, words))).size).toBe(codes.length);
  expect(codes.map((code) => meaningOf(code, words))).not.toContain(undefined);
});

test("what is no code of the broker's means nothing, also where a sentence has that name", () => {
  expect([meaningOf("done", rechargeFormWords.es), meaningOf("hold_expired", rechargeFormWords.es)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("what is filled in stays as it is", () => {
  expect(filled("Vender %", "$& 20.000")).toBe("Vender $& 20.000");
});
