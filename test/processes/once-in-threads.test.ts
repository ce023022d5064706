import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Sql } from "../../server/database/connect.ts";
import { WallClock } from "../attacks/support/wall-clock.ts";
import { Product } from "../e2e/support/product.ts";
import { askTogether, tokenOf } from "../support/ask-together.ts";
import { loggedStatements, logStatements } from "../support/statement-log.ts";

const HURRY = new URL("../support/hurried-process.ts", import.meta.url).href;
/** The interval of each repeated task in a process that `hurried-process.ts` hurries. */
const TASK_MS = 2_000;
/** The pause of what sends webhooks, between two looks for something to send. */
const LOOK_MS = 1_000;
/** Three intervals: one runner runs five times at most, also late on a busy machine, and two run six times or more. */
const WATCHED_MS = 3 * TASK_MS;

/**
 * A statement that each run of the task makes once, whatever there is to do. A task that is added gets a line here:
 * nothing else finds it.
 */
const STATEMENTS = {
  "forget idempotency records": ["delete from service.idempotency_records", TASK_MS],
  "forget unpaid codes": ["select forgotten_through as from", TASK_MS],
  "release expired holds": ["where status = 'pending' and hold_expires_at <=", TASK_MS],
  "add up payments by payee": ["select through_id as through from service.payee_folds", TASK_MS],
  "add up histograms of amounts": ["select from service.payee_folds", TASK_MS],
  "accrue interest": ["where state = 'open' and outstanding > 0 and annual_rate_bps > 0", TASK_MS],
  "close months": ["select id from service.entities e where created_at <", TASK_MS],
  "tell of expired payment codes": ["insert into service.told_expiries", TASK_MS],
  "forget old events": ["delete from service.webhook_endpoints w where disabled_at <", TASK_MS],
  "send webhooks": ["from service.webhook_endpoints e cross join lateral", LOOK_MS],
  "settle what was left": ["select user_id from broker.freezes where block in", TASK_MS],
  "watch merchants' payments": ["insert into broker.merchant_watches", TASK_MS],
  "forget old messages to merchants": ["update broker.merchant_events set body = null", TASK_MS],
  "send messages to merchants": ["select m.id, m.webhook_url as url from", LOOK_MS],
} as const;

const THREADS = [0, 2] as const;

/** A process whose tasks are hurried and whose clock can be moved, with a connection to its database. */
interface Hurried {
  readonly product: Product;
  readonly clock: WallClock;
  readonly sql: Sql;
  /** Milliseconds since statements are logged. */
  readonly watchedMs: () => number;
}

async function aHurriedProcess(threads: number): Promise<Hurried> {
  const clock = new WallClock();
  const options = `${clock.environment.NODE_OPTIONS} --import ${HURRY}`;
  const hurried = { NODE_OPTIONS: options, HURRIED_EVERY_MS: String(TASK_MS) };
  const environment = { ...clock.environment, ...hurried, CUPO_HTTP_THREADS: String(threads) };
  const product = await Product.start(undefined, { environment });
  const sql = connect(product.demo.database_url, { max: 1, applicationName: "cupo test" });
  const watchedFrom = performance.now();
  await logStatements(sql);
  return { product, clock, sql, watchedMs: () => performance.now() - watchedFrom };
}

let processes: ReadonlyMap<number, Promise<Hurried>>;

function withThreads(threads: number): Promise<Hurried> {
  return processes.get(threads) ?? Promise.reject(new Error(`no process has ${threads} threads`));
}

beforeAll(async () => {
  processes = new Map(THREADS.map((threads) => [threads, aHurriedProcess(threads)]));
  await Promise.all(processes.values());
  await delay(WATCHED_MS);
});

afterAll(async () => {
  const started = await Promise.allSettled(processes.values());
  const stops = started.map(async (each) => {
    if (each.status === "rejected") return;
    const { sql, product, clock } = each.value;
    await sql.end();
    await product.remove();
    clock.remove();
  });
  await Promise.all(stops);
});

it.each(THREADS)("with %i threads for HTTP, one thread of the process runs each task of the list", async (threads) => {
  const { product, watchedMs } = await withThreads(threads);
  const logFile = join(product.place.folder.path, "postgres.log");
  const runsOf = (statement: string) => loggedStatements(logFile).filter((text) => text.includes(statement)).length;
  const tooOften: string[] = [];
  for (const [task, [statement, everyMs]] of Object.entries(STATEMENTS)) {
    await expect.poll(() => runsOf(statement), { message: task }).toBeGreaterThan(0);
    const runs = runsOf(statement);
    // One that had begun before, one at once, and one after each interval.
    const most = 2 + Math.floor(watchedMs() / everyMs);
    if (runs > most) tooOften.push(`${task}: ${runs} runs in ${watchedMs().toFixed(0)} ms`);
  }
  expect(tooOften).toEqual([]);
});

it.each(THREADS)(
  "with %i threads for HTTP, a disabled client is refused on every connection within a minute",
  async (threads) => {
    const { product, clock, sql } = await withThreads(threads);
    const { base_url: url, client_id: id } = product.demo;
    const headers = { authorization: `Bearer ${await tokenOf(product.demo)}` };
    const answersAt = async (seconds: number) => {
      await clock.setAheadMs(seconds * 1_000);
      return new Set((await askTogether(`${url}/loan-types`, { headers })).map(({ status }) => status));
    };
    // All that was known before is too old by now, so that the list of disabled clients is read anew.
    expect(await answersAt(60)).toEqual(new Set([200]));
    await sql`update service.api_clients set disabled_at = now() where id = ${id}`;
    // The process may still use its list, and each thread keeps the answer that it got from it for a while.
    await answersAt(60 + 45);
    expect(await answersAt(60 + 60)).toEqual(new Set([401]));
  },
);
