import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";

/** The kernel's clock ticks per second, as every Linux shows them to programs. */
const TICKS_PER_SECOND = 100;
/** Places in /proc/PID/stat after the command's name: parent, then user and system time, own and of ended children. */
const PARENT = 1;
const OWN_TIMES = 11;
const ENDED_CHILDREN_TIMES = 13;
const TIMES_END = 15;

/** Seconds of processor time that a process has used; undefined where the system has no /proc that says it. */
export function processSeconds(pid: number): number | undefined {
  return platform() === "linux" ? ticks(statOf(pid), OWN_TIMES, ENDED_CHILDREN_TIMES) / TICKS_PER_SECOND : undefined;
}

/** The same of a process with its children, those that have ended included: a PostgreSQL and its backends. */
export function familySeconds(parentPid: number): number | undefined {
  if (platform() !== "linux") return undefined;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(Number(pid)))
    .filter((stat) => Number(stat[PARENT]) === parentPid);
  const live = children.map((stat) => ticks(stat, OWN_TIMES, ENDED_CHILDREN_TIMES));
  return live.reduce((sum, each) => sum + each, ticks(statOf(parentPid), OWN_TIMES, TIMES_END)) / TICKS_PER_SECOND;
}

function ticks(stat: readonly string[], from: number, to: number): number {
  return stat.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
}

/** The fields after the command's name, which may hold spaces; none for a process that has just ended. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
