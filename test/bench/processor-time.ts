import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { platform } from "node:os";

/** The kernel's clock ticks per second, as every Linux shows them to programs. */
const TICKS_PER_SECOND = 100;
const BYTES_PER_KILOBYTE = 1024;
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
  const live = childrenOf(parentPid).map(({ stat }) => ticks(stat, OWN_TIMES, ENDED_CHILDREN_TIMES));
  return live.reduce((sum, each) => sum + each, ticks(statOf(parentPid), OWN_TIMES, TIMES_END)) / TICKS_PER_SECOND;
}

/** Seconds of processor time by thread of a process, or by child of a process; none where there is no /proc. */
export function threadTimes(pid: number, of: "threads" | "children"): ReadonlyMap<string, number> {
  if (platform() !== "linux") return new Map();
  const threads = () => readdirSync(`/proc/${pid}/task`).map((id) => ({ id, stat: statOf(`${pid}/task/${id}`) }));
  const all = of === "threads" ? threads() : childrenOf(pid);
  return new Map(all.map(({ id, stat }) => [id, ticks(stat, OWN_TIMES, ENDED_CHILDREN_TIMES) / TICKS_PER_SECOND]));
}

/** The processor time of the one that used most of it between two calls of {@link threadTimes}. */
export function busiestOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  if (after.size === 0) return Number.NaN;
  return Math.max(...[...after].map(([id, seconds]) => seconds - (before.get(id) ?? 0)));
}

/** Lets the kernel measure a process's greatest memory anew. */
export function resetPeakMemory(pid: number): void {
  if (platform() === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The most memory in bytes that a process had since {@link resetPeakMemory}; not a number where it is unknown. */
export function peakMemory(pid: number): number {
  if (platform() !== "linux") return Number.NaN;
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * BYTES_PER_KILOBYTE;
}

function childrenOf(parentPid: number): readonly { readonly id: string; readonly stat: readonly string[] }[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map((id) => ({ id, stat: statOf(id) })).filter(({ stat }) => Number(stat[PARENT]) === parentPid);
}

function ticks(stat: readonly string[], from: number, to: number): number {
  return stat.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
}

/** The fields after the command's name, which may hold spaces; none for a process that has just ended. */
function statOf(pid: number | string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
