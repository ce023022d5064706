import { table } from "../table.ts";
import { CONTESTANTS, type GroupResult, type ScannerReport } from "./bench-scanner.ts";
import type { Decoder } from "./contest-page.ts";

const TITLES: Readonly<Record<Decoder, string>> = Object.freeze({
  picture: "the app, a picture",
  camera: "the app, its camera",
  "zxing-wasm": "zxing-wasm alone",
  jsqr: "jsqr alone",
});

function cells({ read, misread, ms }: GroupResult, pictures: number): readonly string[] {
  const rate = `${Math.round((100 * read) / pictures)} %`;
  return [misread === 0 ? rate : `${rate} (${misread} wrong)`, ms.median.toFixed(0)];
}

/** The scanner's contest as text for people. */
export function printScanner({ pictures, mostFrames, groups }: ScannerReport): string {
  const head = [`Read of ${pictures} pictures`, ...CONTESTANTS.flatMap((contestant) => [TITLES[contestant], "ms"])];
  const rows = groups.map(({ group, results }) => [
    group,
    ...CONTESTANTS.flatMap((contestant) => cells(results[contestant], pictures)),
  ]);
  const behind = groups.filter(
    ({ results: { picture, "zxing-wasm": zxing, jsqr } }) => picture.read < Math.max(zxing.read, jsqr.read),
  );
  return [
    ...table([head, ...rows]),
    `Medians in ms, from handing the picture over until the answer; the camera is given ${mostFrames} frames at most.`,
    behind.length === 0
      ? "The app reads as many as the better of the two in every group, or more."
      : `The app reads FEWER than the better of the two in: ${behind.map(({ group }) => group).join(", ")}.`,
    "",
  ].join("\n");
}
