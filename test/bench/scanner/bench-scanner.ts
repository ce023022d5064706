import type { Page } from "playwright-core";
import { openBrowser } from "../../e2e/support/open-browser.ts";
import { type Spread, spreadOf } from "../statistics.ts";
import { type Decoder, openComparison, readByEach } from "./contest-page.ts";
import { ContestServer } from "./contest-server.ts";
import { makePicture } from "./make-picture.ts";
import { type PictureGroup, pictureGroups } from "./picture-groups.ts";

/** The results of one contestant in one group. */
export interface GroupResult {
  readonly read: number;
  /** Codes that were read as another text. */
  readonly misread: number;
  readonly ms: Spread;
}

/** The results of the scanner's contest. */
export interface ScannerReport {
  readonly pictures: number;
  readonly mostFrames: number;
  readonly groups: readonly {
    readonly group: PictureGroup;
    readonly results: Readonly<Record<Decoder, GroupResult>>;
  }[];
}

/** The contestants, in the order of the table. */
export const CONTESTANTS: readonly Decoder[] = Object.freeze(["picture", "camera", "zxing-wasm", "jsqr"]);
const PICTURES = 24;
/** Frames in which the camera should find a code that is held before it: about half a second. */
const MOST_FRAMES = 8;

/** Has the app's built worker, zxing-wasm alone and jsqr alone read the same pictures in a real browser. */
export async function benchScanner(interrupted: Promise<never>, tell: (line: string) => void): Promise<ScannerReport> {
  const [server, browser] = await Promise.all([ContestServer.start(), openBrowser()]);
  try {
    return await Promise.race([measure(server, await browser.newPage(), tell), interrupted]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function measure(server: ContestServer, page: Page, tell: (line: string) => void): Promise<ScannerReport> {
  await page.goto(server.origin);
  await openComparison(page, server.places);
  // Scripts and WebAssembly are fetched and compiled with the first picture.
  await contest(server, page, "plain", 1);
  const groups: ScannerReport["groups"][number][] = [];
  for (const group of Object.keys(pictureGroups) as PictureGroup[]) {
    tell(`Reading ${PICTURES} pictures: ${group} …`);
    groups.push({ group, results: await contest(server, page, group, PICTURES) });
  }
  return { pictures: PICTURES, mostFrames: MOST_FRAMES, groups };
}

async function contest(
  server: ContestServer,
  page: Page,
  group: PictureGroup,
  count: number,
): Promise<Record<Decoder, GroupResult>> {
  const times = Object.fromEntries(CONTESTANTS.map((contestant) => [contestant, [] as number[]]));
  const marks = Object.fromEntries(CONTESTANTS.map((contestant) => [contestant, { read: 0, misread: 0 }]));
  for (let index = 0; index < count; index++) {
    const picture = await makePicture({ group, index, count });
    const readings = await readByEach(page, server.show(picture), CONTESTANTS, MOST_FRAMES);
    readings.forEach(({ text, ms }, place) => {
      const contestant = CONTESTANTS[place] ?? "picture";
      times[contestant]?.push(ms);
      const mark = marks[contestant];
      if (mark !== undefined && text === picture.payload) mark.read++;
      else if (mark !== undefined && text) mark.misread++;
    });
  }
  return Object.fromEntries(
    CONTESTANTS.map((name) => [name, { ...marks[name], ms: spreadOf(times[name] ?? []) }]),
  ) as unknown as Record<Decoder, GroupResult>;
}
