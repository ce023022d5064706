import { expect, test } from "vitest";
import { payQrWords } from "./pay-qr-words.ts";

test.each([
  [180, "Tienes 3 minutos para pagar.", "You have 3 minutes left to pay.", "Você tem 3 minutos para pagar."],
  [60, "Tienes 1 minuto para pagar.", "You have 1 minute left to pay.", "Você tem 1 minuto para pagar."],
  [
    61,
    "Tienes 1 minuto y 1 segundo para pagar.",
    "You have 1 minute and 1 second left to pay.",
    "Você tem 1 minuto e 1 segundo para pagar.",
  ],
  [30, "Tienes 30 segundos para pagar.", "You have 30 seconds left to pay.", "Você tem 30 segundos para pagar."],
])("%d seconds are said in each language", (seconds, spanish, english, portuguese) => {
  expect(payQrWords.es.timeLeft(seconds)).toBe(spanish);
  expect(payQrWords.en.timeLeft(seconds)).toBe(english);
  expect(payQrWords.pt.timeLeft(seconds)).toBe(portuguese);
});

test("no sentence shouts", () => {
  expect(JSON.stringify(payQrWords)).not.toMatch(/[!¡]/);
});
