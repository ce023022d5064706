import { expect, test } from "vitest";
import { payQrWords } from "../../src/language/tables/elements.ts";
import { INITIAL_STATE, nextStep } from "./pay-qr-state.ts";
import { offlineText } from "./pay-qr-view.ts";

const SESSION = Object.freeze({
  kind: "pay",
  payee: "Café La Candelaria",
  currency: "COP",
  reference: "K7M39QXT2V4FW",
  check_code: "7K3M",
  payload: "000201010211630471C4",
  app_link: "",
  rejected_attempts: 0,
  expires_at: "2026-11-21T15:15:00.000Z",
  expires_in: 900,
});

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

test("without a connection it is said that the code still works only of one that is shown and in time", () => {
  const session = { ...SESSION, state: "unpaid" } as const;
  const { state: awaiting } = nextStep(INITIAL_STATE, { kind: "answered", session });
  const { state: pending } = nextStep(awaiting, { kind: "answered", session: { ...session, state: "pending" } });
  const { state: lapsed } = nextStep(awaiting, { kind: "time-up" });
  for (const words of Object.values(payQrWords)) {
    expect(offlineText(awaiting, words)).toBe(`${words.offline} ${words.stillPayable}`);
    for (const state of [INITIAL_STATE, pending, lapsed]) expect(offlineText(state, words)).toBe(words.offline);
  }
});
