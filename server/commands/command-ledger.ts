import { type BusinessTime, businessTime } from "../../src/business-time.ts";
import { ClockWatch } from "../ledger/clock-watch.ts";
import { Writer } from "../ledger/writer.ts";
import type { CommandContext } from "./terminal-command.ts";

/** Number of slots over which the rows that every posting updates are spread. */
const SLOTS = 16;

/** The ledger writer that a command posts with, its clock watch, and the business calendar. */
export interface CommandLedger {
  readonly ledger: Writer;
  readonly clockWatch: ClockWatch;
  readonly time: BusinessTime;
}

/**
 * Creates the ledger writer of a command: one more writer process, which contends for row locks with the running ones.
 * A command emits no domain events and increases no entity's exposure to another.
 */
export async function commandLedger(services: CommandContext): Promise<CommandLedger> {
  const { sql, clock, random, newId, timeZone, machine } = services;
  // The command itself fails with a clock fault, and so reports it.
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
