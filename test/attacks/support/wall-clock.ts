import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const DAY_MS = 86_400_000;
/** Until every process has read the file again. */
const SEEN_MS = 50;

/** The wall clock of processes that are started with its environment; it can be set while they run. */
export class WallClock {
  readonly #path = join(tmpdir(), `cupo-clock-${randomBytes(8).toString("hex")}`);
  readonly environment: Readonly<Record<string, string>>;

  constructor() {
    const preload = pathToFileURL(join(import.meta.dirname, "shift-clock.ts")).href;
    this.environment = { NODE_OPTIONS: `--import ${preload}`, ATTACKED_CLOCK: this.#path };
    writeFileSync(this.#path, "0");
  }

  /** Sets it so many days ahead of the real time. */
  setAhead(days: number): Promise<void> {
    return this.setAheadMs(days * DAY_MS);
  }

  /** Sets it so many milliseconds ahead of the real time. */
  async setAheadMs(ms: number): Promise<void> {
    // In one step: a reader meanwhile would take an empty file for 0.
    writeFileSync(`${this.#path}.new`, String(ms));
    renameSync(`${this.#path}.new`, this.#path);
    await delay(SEEN_MS);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** The business day of a demo, so many days from now. */
export function businessDay(after = 0): string {
  const BOGOTA_MS = -5 * 60 * 60 * 1000;
  return new Date(Date.now() + BOGOTA_MS + after * DAY_MS).toISOString().slice(0, 10);
}
