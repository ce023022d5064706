import { table } from "../table.ts";
import type { LighthouseReport } from "./bench-lighthouse.ts";

/** Writes the scores of cold loads as text for people; the ratio is that of the largest paint to the bare page's. */
export function printLighthouse({ rounds, pages }: LighthouseReport): string {
  const [bare] = pages;
  const head = [
    `Cold load on a phone, ${rounds} rounds`,
    "score",
    "min–max",
    "largest paint ms",
    "÷ bare page",
    "blocked ms",
  ];
  const lines = pages.map(({ name, score, largestPaintMs, blockedMs }) => [
    name,
    score.median.toFixed(0),
    `${score.min.toFixed(0)}–${score.max.toFixed(0)}`,
    largestPaintMs.median.toFixed(0),
    (largestPaintMs.median / (bare?.largestPaintMs.median ?? Number.NaN)).toFixed(2),
    blockedMs.median.toFixed(0),
  ]);
  return `${table([head, ...lines]).join("\n")}\n`;
}
