import { table } from "../table.ts";
import type { GrowthReport } from "./bench-growth.ts";

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

/** The growing histories as text for people. */
export function printGrowth({ small, large, reads }: GrowthReport): string {
  const head = ["Median ms of a read, of so many transactions", String(small), String(large), "ratio"];
  const rows = reads.map(({ name, smallMs, largeMs, ratio }) => [
    name,
    ms(smallMs.median),
    ms(largeMs.median),
    ratio.toFixed(2),
  ]);
  return `${table([head, ...rows]).join("\n")}\n`;
}
