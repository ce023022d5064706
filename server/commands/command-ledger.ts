import { type BusinessTime, businessTime } from "../../src/business-time.ts";
import { ClockWatch } from "../ledger/clock-watch.ts";
import { Writer } from "../ledger/writer.ts";
import type { CommandWorld } from "./terminal-command.ts";

/** How many slots the rows that every posting touches are spread over. */
const SLOTS = 16;

/** What a command posts with, and the calendar that it posts by. */
export interface CommandLedger {
  readonly ledger: Writer;
  readonly clockWatch: ClockWatch;
  readonly time: BusinessTime;
}

/**
 * The ledger for a command: one process more, which waits for the locks of those that run as they wait for its. Of
 * what it does nobody is told an event, and nothing of it makes one entity owe another more.
 */
export async function commandLedger(world: CommandWorld): Promise<CommandLedger> {
  const { sql, clock, random, newId, timeZone, machine } = world;
  // A fault is an error of the command, which tells it.
  const clockWatch = await ClockWatch.start({ sql, clock, machine, onFault: () => undefined });
  const time = businessTime(timeZone);
  const ledger = new Writer({
    sql,
    clock,
    nextId: newId,
    clockWatch,
    businessDay: (instant) => time.dayOf(instant),
    slot: (random(1)[0] ?? 0) % SLOTS,
    counterpartyLimit: 0n,
    eventBody: () => {
      throw new Error("a command at the terminal has no event to tell");
    },
  });
  return { ledger, clockWatch, time };
}
