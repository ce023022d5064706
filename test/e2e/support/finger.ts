import type { CDPSession, Locator } from "playwright-core";

/** A point of a page, in CSS pixels from its top left corner. */
type Point = readonly [x: number, y: number];

/** A finger stays on the glass that long. */
const HELD_MS = 80;

/** A finger on the glass of a phone in Chromium. */
export class Finger {
  readonly #tools: CDPSession;

  constructor(tools: CDPSession) {
    this.#tools = tools;
  }

  /** Puts the finger down. */
  async down([x, y]: Point): Promise<void> {
    await this.#tools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  }

  /** Moves the finger that is down. */
  async slide([x, y]: Point): Promise<void> {
    await this.#tools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y }] });
  }

  /** Lifts the finger. */
  async up(): Promise<void> {
    await this.#tools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  /** Taps as people do: the finger stays for a moment. */
  async tap(point: Point): Promise<void> {
    await this.down(point);
    await new Promise((done) => setTimeout(done, HELD_MS));
    await this.up();
  }
}

/** Scrolls a place into view; returns its middle. */
export async function middleOf(place: Locator): Promise<Point> {
  await place.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await place.boundingBox();
  if (box === null) throw new Error(`${place} is not shown`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}
