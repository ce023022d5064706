import { table } from "../table.ts";
import type { HistoryReport } from "./bench-history.ts";

/** The frames a second that scrolling has to reach. */
const AIM = 50;

/** Writes the costs of a long history as text for people. */
export function printHistory({ rows, scrolls, mostRows, firstSyncMs, openMs, searchMs }: HistoryReport): string {
  const head = [
    `Scrolling ${rows} movements`,
    "frames a second",
    "min–max",
    "99 % of frames within ms",
    "main thread busy",
    "blank",
  ];
  const lines = scrolls.map(
    ({ speed, slowdown, framesPerSecond: { median, min, max }, slowFrameMs, busyShare, blankShare }) => [
      `${speed} pixels a second${slowdown > 1 ? `, processor ${slowdown} times slower` : ""}`,
      median.toFixed(1),
      `${min.toFixed(1)}–${max.toFixed(1)}`,
      slowFrameMs.toFixed(1),
      `${(busyShare * 100).toFixed(0)} %`,
      `${(blankShare * 100).toFixed(1)} %`,
    ],
  );
  return [
    ...table([head, ...lines]),
    `The aim is ${AIM} frames a second. At most ${mostRows} rows were in the document.`,
    `First sync ${(firstSyncMs / 1_000).toFixed(1)} s; opened again, rows after ${openMs.median.toFixed(0)} ms; ` +
      `a key of the search takes ${searchMs.median.toFixed(0)} ms, at most ${searchMs.max.toFixed(0)}.`,
    "",
  ].join("\n");
}
