import { expect, test } from "vitest";
import { userQuotaWords } from "../../src/language/tables/elements.ts";

test("no sentence shouts, and none is empty", () => {
  const words = JSON.stringify(userQuotaWords);
  expect(words).not.toMatch(/[!¡]/);
  expect(words).not.toContain('""');
});

test("a refusal says who cannot see the quota, which is not taken away, and where it is connected", () => {
  const said = Object.values(userQuotaWords).map(({ refused: { title, text } }) => `${title}. ${text}`);
  expect(said[0]).toMatch(/comercio no puede ver.*desde su página/);
  expect(said[1]).toMatch(/merchant can't see.*from the merchant's page/);
  expect(said[2]).toMatch(/loja não pode ver.*pela página dela/);
});
