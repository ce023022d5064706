import type { Spread } from "../statistics.ts";
import { table } from "../table.ts";
import type { WidgetsReport } from "./bench-widgets.ts";
import type { Mounted } from "./mount-timer.ts";

const TITLES: Readonly<Record<Mounted, string>> = Object.freeze({
  "plain-text": "an element that asks the same and shows text",
  "pay-qr": "<pay-qr> until its QR",
});

/** Aim for the time from putting `<pay-qr>` on a page to its QR, on two cores. */
const AIM_MS = 50;

function cell({ median, min, max }: Spread): readonly string[] {
  return [median.toFixed(1), `${min.toFixed(1)}–${max.toFixed(1)}`];
}

/** The mounting of elements as text for people. */
export function printWidgets({ mounts, ratio, retained }: WidgetsReport): string {
  const head = ["Mounting, median ms", "drawn", "min–max", "painted", "min–max", "main thread", "min–max"];
  const rows = mounts.map(({ mounted, isFirst, drawnMs, shownMs, busyMs }) => [
    `${TITLES[mounted]}, ${isFirst ? "page just opened" : "again"}`,
    ...[drawnMs, shownMs, busyMs].flatMap(cell),
  ]);
  return [
    ...table([head, ...rows]),
    `<pay-qr> takes ${ratio.toFixed(2)} times what the plain element takes; the aim is under ${AIM_MS} ms.`,
    `${retained.mounts} mounts left ${retained.nodes} nodes and ${retained.listeners} listeners on the page.`,
    "",
  ].join("\n");
}
