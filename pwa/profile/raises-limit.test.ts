import { expect, it } from "vitest";
import { raisesLimit } from "./raises-limit.ts";

it.each([
  ["a smaller amount", { entity: 500, own: 300 }, 200, false],
  ["the same", { entity: 500, own: 300 }, 300, false],
  ["a larger amount", { entity: 500, own: 300 }, 400, true],
  ["the first of one's own", { entity: 500, own: null }, 400, false],
  ["the first, where the entity has none", { entity: null, own: null }, 400, false],
  ["none any more, below the entity's", { entity: 500, own: 300 }, null, true],
  ["none any more, at the entity's", { entity: 500, own: 500 }, null, false],
  ["none any more, where the entity has none", { entity: null, own: 300 }, null, true],
])("%s lets more through or not", (_, limit, own, raises) => {
  expect(raisesLimit(limit, own)).toBe(raises);
});
