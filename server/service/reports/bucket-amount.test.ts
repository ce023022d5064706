import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketOf } from "../../ledger/decide/roll-ups.ts";
import { bucketAmount, PERCENTILE_ERROR_BPS } from "./bucket-amount.ts";

it("stands at most 2 % beside any amount of its bucket, before rounding to the minor unit", () => {
  const amounts = fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 10n ** 15n - 1n));
  fc.assert(
    fc.property(amounts, (amount) => {
      const told = Number(bucketAmount(bucketOf(amount)));
      const most = (Number(amount) * PERCENTILE_ERROR_BPS) / 10_000 + 0.5;
      expect(Math.abs(told - Number(amount))).toBeLessThanOrEqual(most);
    }),
    { numRuns: 2_000 },
  );
  expect(bucketAmount(null)).toBeNull();
});
