import { table } from "../table.ts";
import type { SlowPhoneReport } from "./bench-slow-phone.ts";

/** Milliseconds that nobody should wait longer than: for Welcome, for a code, and for the answer to a press. */
const AIMS = Object.freeze({ welcome: 3_000, codeRead: 2_500, feedback: 100 });

/** Writes the waiting times on a slow phone as text for people. */
export function printSlowPhone({ rounds, welcomeMs, codeReadMs, feedbackMs }: SlowPhoneReport): string {
  const rows = [
    { name: "Welcome can be used", aim: AIMS.welcome, spread: welcomeMs },
    { name: "a code is read, from the press on Scan", aim: AIMS.codeRead, spread: codeReadMs },
    ...Object.entries(feedbackMs).map(([name, spread]) => ({ name: `answer to: ${name}`, aim: AIMS.feedback, spread })),
  ];
  const head = [`Slow 3G, processor 4 times slower, no cache, ${rounds} rounds`, "median ms", "min–max", "aim", ""];
  const lines = rows.map(({ name, aim, spread: { median, min, max } }) => [
    name,
    median.toFixed(0),
    `${min.toFixed(0)}–${max.toFixed(0)}`,
    `${aim}`,
    median < aim ? "met" : "missed",
  ]);
  return `${table([head, ...lines]).join("\n")}\n`;
}
