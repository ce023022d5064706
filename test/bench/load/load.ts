import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../statistics.ts";
import {
  type Answer,
  below,
  type Connection,
  drawScript,
  type Orders,
  openSocket,
  type Request,
  readOrders,
  requestWriter,
} from "./orders.ts";
import type { LoadFigures } from "./run-load.ts";

// The load generator for machines without a C compiler: the same orders, the same figures.

const MOST_SAMPLES = 5;
const MOST_FAULTS = 100;
const SAMPLE_LENGTH = 300;
const PER_SECOND = 1000;

/** One run: the orders, the time at which it begins to measure and ends, and all that it counts. */
class Run {
  readonly #orders: Orders;
  readonly #write: ReturnType<typeof requestWriter>;
  readonly #startedAt = performance.now();
  readonly #counts = { done: 0, marked: 0, measured: 0, measuredMarked: 0, replayed: 0, stopped: 0, faults: 0 };
  readonly #statuses: Record<string, number> = {};
  readonly #measuredStatuses: Record<string, number> = {};
  readonly #scripts: number[];
  readonly #samples: string[] = [];
  readonly #sinceDue: number[] = [];
  readonly #sinceSent: number[] = [];
  #begun = 0;

  constructor(orders: Orders) {
    this.#orders = orders;
    this.#write = requestWriter(orders);
    this.#scripts = orders.scripts.map(() => 0);
  }

  #setting(name: string): number {
    return Number(this.#orders.settings.get(name) ?? 0);
  }

  get #measuredFrom(): number {
    return this.#startedAt + this.#setting("warm-up") * PER_SECOND;
  }

  get #ends(): number {
    return this.#measuredFrom + this.#setting("seconds") * PER_SECOND;
  }

  /** The moment at which the next operation is due; undefined when there is none. */
  #nextDue(): number | undefined {
    const [rate, most] = [this.#setting("rate"), this.#setting("operations")];
    const due = rate === 0 ? performance.now() : this.#startedAt + (this.#begun * PER_SECOND) / rate;
    if (due >= this.#ends || performance.now() >= this.#ends || (most > 0 && this.#begun >= most)) return undefined;
    this.#begun += 1;
    return due;
  }

  /** Works on one connection until the time is up. */
  async work(connection: Connection): Promise<void> {
    for (let due = this.#nextDue(); due !== undefined; due = this.#nextDue()) {
      connection.number = this.#begun - 1;
      if (due > performance.now()) await delay(due - performance.now());
      try {
        await this.#operate(connection, due);
      } catch (error) {
        this.#counts.faults += 1;
        this.#sample(String(error));
        return;
      }
      if (this.#counts.faults > MOST_FAULTS) return;
    }
  }

  async #operate(connection: Connection, due: number): Promise<void> {
    const { last } = connection;
    const sent = performance.now();
    const isReplay = last !== undefined && below(PER_SECOND) < this.#setting("replays-in-1000");
    const script = isReplay ? last.script : drawScript(this.#orders.scripts);
    const requests = this.#orders.scripts[script]?.requests ?? [];
    let answer: Answer | undefined;
    let request = "";
    for (const step of requests) {
      request = isReplay ? last.request : this.#write(connection, step);
      answer = await connection.exchange(request);
      if (!this.#accept(connection, step, answer)) break;
    }
    const isGood = answer !== undefined && answer.status < 300;
    connection.last = isGood && !isReplay && requests.length === 1 ? { request, script } : undefined;
    if (isReplay) this.#counts.replayed += 1;
    this.#count(answer, { isGood, isReplay, script, due, sent });
  }

  #accept({ taken }: Connection, { takes }: Request, { status, text: said }: Answer): boolean {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status >= 300) this.#sample(said);
    for (const [name, mark] of takes) {
      const at = said.indexOf(mark);
      if (at === -1) this.#counts.stopped += 1;
      taken.set(name, /^[^",;\r\n]*/.exec(said.slice(at + mark.length))?.[0] ?? "");
    }
    return status < 300;
  }

  #count(
    answer: Answer | undefined,
    {
      isGood,
      isReplay,
      script,
      due,
      sent,
    }: Readonly<Record<"isGood" | "isReplay", boolean>> & Readonly<Record<"script" | "due" | "sent", number>>,
  ): void {
    const now = performance.now();
    const isMarked = isGood && (answer?.text.includes(this.#orders.settings.get("mark") ?? "\0") ?? false);
    if (isGood && !isReplay) {
      this.#counts.done += 1;
      this.#counts.marked += Number(isMarked);
      this.#scripts[script] = (this.#scripts[script] ?? 0) + 1;
    }
    if (now < this.#measuredFrom || now >= this.#ends) return;
    const status = String(answer?.status);
    this.#measuredStatuses[status] = (this.#measuredStatuses[status] ?? 0) + 1;
    if (!isGood) return;
    this.#counts.measured += 1;
    this.#counts.measuredMarked += Number(isMarked);
    this.#sinceDue.push(now - due);
    this.#sinceSent.push(now - sent);
  }

  #sample(said: string): void {
    if (this.#samples.length < MOST_SAMPLES) this.#samples.push(said.slice(0, SAMPLE_LENGTH));
  }

  figures(): LoadFigures {
    const seconds = this.#setting("seconds");
    const latency = (times: readonly number[]) => {
      const at = (share: number) => Math.round(percentile(times, share) * PER_SECOND);
      return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) };
    };
    const { user, system } = process.cpuUsage();
    return {
      seconds,
      ranFor: (performance.now() - this.#startedAt) / PER_SECOND,
      ...this.#counts,
      perSecond: this.#counts.measured / seconds,
      measuredStatuses: this.#measuredStatuses,
      statuses: this.#statuses,
      scripts: this.#scripts,
      unsent: 0,
      sinceDue: latency(this.#sinceDue),
      sinceSent: latency(this.#sinceSent),
      processorCores: (user + system) / PER_SECOND / (performance.now() - this.#startedAt),
      samples: this.#samples,
    };
  }
}

const orders = readOrders((await text(process.stdin)).split("\n"));
const count = Number(orders.settings.get("connections"));
const connections = await Promise.all(
  Array.from({ length: count }, () => openSocket(Number(orders.settings.get("port")))),
);
const run = new Run(orders);
await Promise.all(connections.map((connection) => run.work(connection)));
process.stdout.write(`${JSON.stringify(run.figures())}\n`, () => process.exit());
