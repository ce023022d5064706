import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";
import type { MachineClock } from "../ledger/model/machine-clock.ts";

/** Linux draws an id at every start of a machine; it is the same in all of its containers. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

function bootId(): string | undefined {
  try {
    return readFileSync(BOOT_ID, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Returns the id and the uptime of the machine that this process runs on, for the clock watch. Where the machine's
 * restarts cannot be recognised, the id is of the process alone: then the uptime does not reveal a clock that is moved
 * while no process runs.
 */
export function thisMachine(random: (length: number) => Uint8Array): MachineClock {
  const start = bootId() ?? Buffer.from(random(16)).toString("hex");
  return { id: `${start} ${hostname()}`, upMs: () => uptime() * 1000 };
}
