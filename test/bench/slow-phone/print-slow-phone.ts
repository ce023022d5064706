import { table } from "../table.ts";
import type { SlowPhoneReport } from "./bench-slow-phone.ts";

/** Milliseconds that nobody should wait longer than: for Welcome, for a code, and for the answer to a press. */
const AIMS = Object.freeze({ welcome: 3_000, codeRead: 2_500, feedback: 100 });

/** Writes the waiting times on a slow phone as text for people. */
export function printSlowPhone({ rounds, welcomeMs, codeReadMs, barePageMs, feedbackMs }: SlowPhoneReport): string {
  const waits = [
    { name: "Welcome can be used", aim: AIMS.welcome, spread: welcomeMs, ratio: "" },
    { name: "a code is read, from the press on Scan", aim: AIMS.codeRead, spread: codeReadMs, ratio: "" },
  ];
  const answers = Object.entries({ "the button of a bare page": barePageMs, ...feedbackMs }).map(([name, spread]) => {
    const ratio = (spread.median / barePageMs.median).toFixed(2);
    return { name: `answer to: ${name}`, aim: AIMS.feedback, spread, ratio };
  });
  const head = [`Slow 3G, processor 4 times slower, no cache, ${rounds} rounds`, "median ms", "min–max"];
  const lines = [...waits, ...answers].map(({ name, aim, spread: { median, min, max }, ratio }) => [
    name,
    median.toFixed(0),
    `${min.toFixed(0)}–${max.toFixed(0)}`,
    ratio,
    `${aim}`,
    median < aim ? "met" : "missed",
  ]);
  return `${table([[...head, "÷ bare page", "aim", ""], ...lines]).join("\n")}\n`;
}
