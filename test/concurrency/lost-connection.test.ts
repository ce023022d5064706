import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../../server/ledger/writer.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { aLedger, ledgerFaults, outcomeOf, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../support/ledger.ts";
import { aRelay, type Relay } from "../support/relay.ts";

const COMMANDS = 1_500;
const CUTS = 10;
/** So many that some are under way whenever the connection is cut. */
const AT_ONCE = 500;
const TRIES = 200;

let ledger: TestLedger;
let relay: Relay;

beforeAll(async () => {
  ledger = await aLedger();
  relay = await aRelay(Number(new URL(ledger.url).port));
});
afterAll(async () => {
  await ledger.drop();
  await relay.close();
});

/** The database's address by way of a relay. */
function through({ port }: Relay): string {
  const url = new URL(ledger.url);
  url.port = String(port);
  return url.href;
}

const cuts: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
  "the server ends it": () =>
    ledger.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'cupo test writer' and datname = current_database()`.execute(),
  "the network cuts it": () => {
    relay.reset();
    return undefined;
  },
};

/** Sends a payment under its key until it is answered, as a client does; returns the number of lost answers. */
async function payUntilAnswered(writer: Writer, payer: TestUser, payee: TestUser, key: string): Promise<number> {
  const command = aCommand(anOrigin(payer.entity, key), aPayment(payer.id, payee.id, 1n));
  for (let lost = 0; lost < TRIES; lost++) {
    const outcome = await outcomeOf(writer.post(command));
    if (outcome === "approved") return lost;
    expect(outcome).toBe("unavailable");
    await pause(5);
  }
  throw new Error(`${key} was never answered`);
}

describe.each(Object.keys(cuts))("a connection that is lost while commands flow: %s", (how) => {
  it("answers 503 to what was under way, and posts each payment once when it is sent again with its key", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 10_000n), await ledger.aUser(entity)];
    const writer = ledger.aWriter({ url: through(relay) });
    let isFlowing = true;
    const cutting = (async () => {
      for (let cut = 0; cut < CUTS && isFlowing; cut++) {
        await pause(3 + (cut % 7) * 4);
        await cuts[how]?.();
      }
    })();
    const lost: number[] = [];
    const next = Array.from({ length: COMMANDS }, (_, index) => index).values();
    const clients = Array.from({ length: 60 }, async () => {
      for (const index of next) lost.push(await payUntilAnswered(writer, payer, payee, `${how} ${index}`));
    });
    await Promise.all(clients);
    isFlowing = false;
    await cutting;
    expect(lost.some((count) => count > 0)).toBe(true);
    expect(await ledger.balanceOf(payee)).toBe(BigInt(COMMANDS));
    const [posted] = await ledger.sql<{ count: bigint }[]>`
      select count(*) from service.transactions where from_user_id = ${payer.id}`;
    expect(posted?.count).toBe(BigInt(COMMANDS));
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});

it("posts without a key at most once, and says that nobody knows", async () => {
  const entity = await ledger.anEntity();
  const [payer, payee] = [await ledger.aUser(entity, 100_000n), await ledger.aUser(entity)];
  const writer = ledger.aWriter({ url: through(relay) });
  const answered = { approved: 0, unavailable: 0 };
  const postAtOnce = async (): Promise<void> => {
    const postings = Array.from({ length: AT_ONCE }, () =>
      outcomeOf(writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n)))),
    );
    for (const outcome of await Promise.all(postings)) answered[outcome as keyof typeof answered] += 1;
  };
  await postAtOnce();
  const begunAt = performance.now();
  await postAtOnce();
  // Cuts at even distances from the start of a round to its end on this machine: some meet a commit under way.
  const roundMs = performance.now() - begunAt;
  for (let round = 0; round < CUTS; round++) {
    const posting = postAtOnce();
    await pause((roundMs * round) / CUTS);
    relay.reset();
    await posting;
  }
  const moved = Number(await ledger.balanceOf(payee));
  expect(answered.approved + answered.unavailable).toBe((2 + CUTS) * AT_ONCE);
  expect(moved).toBeGreaterThanOrEqual(answered.approved);
  expect(moved).toBeLessThanOrEqual((2 + CUTS) * AT_ONCE);
  expect(answered.unavailable).toBeGreaterThan(0);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});

describe("a commit that takes place while its answer is lost", () => {
  const SLOW_AMOUNT = 424_242n;

  beforeAll(async () => {
    await ledger.sql.unsafe(`
      create function service.sleep_at_commit() returns trigger language plpgsql as $$
      begin
        perform pg_sleep(1);
        return null;
      end
      $$;
      create constraint trigger slow_commit after insert on service.transactions deferrable initially deferred
        for each row when (new.amount = ${SLOW_AMOUNT}) execute function service.sleep_at_commit()`);
  });

  /** How many backends sleep in the middle of their commit. */
  async function committing(): Promise<bigint | undefined> {
    const [row] = await ledger.sql<{ count: bigint }[]>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`;
    return row?.count;
  }

  async function loseAnswerOf(writer: Writer, payer: TestUser, payee: TestUser, key?: string): Promise<unknown[]> {
    const command = (amount: bigint, own?: string) =>
      writer.post(aCommand(anOrigin(payer.entity, own), aPayment(payer.id, payee.id, amount)));
    const postings = [outcomeOf(command(SLOW_AMOUNT, key)), outcomeOf(command(1n)), outcomeOf(command(1n))];
    await expect.poll(committing, { interval: 10, timeout: 10_000 }).toBe(1n);
    relay.reset();
    return Promise.all(postings);
  }

  it("answers 503 to all of its batch, is not sent again, and is replayed to whoever has a key", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 3n * SLOW_AMOUNT), await ledger.aUser(entity)];
    const writer = ledger.aWriter({ url: through(relay) });
    const unknown = ["unavailable", "unavailable", "unavailable"];
    expect(await loseAnswerOf(writer, payer, payee, "slow")).toEqual(unknown);
    await expect.poll(() => ledger.balanceOf(payee), { timeout: 10_000 }).toBe(SLOW_AMOUNT + 2n);
    const again = aCommand(anOrigin(entity, "slow"), aPayment(payer.id, payee.id, SLOW_AMOUNT));
    expect(await writer.post(again)).toMatchObject({ replayed: true, body: { status: "approved" } });
    expect(await loseAnswerOf(writer, payer, payee)).toEqual(unknown);
    await expect.poll(() => ledger.balanceOf(payee), { timeout: 10_000 }).toBe(2n * SLOW_AMOUNT + 4n);
    // A batch that was sent again would be committed by now.
    await expect.poll(committing, { timeout: 10_000 }).toBe(0n);
    await pause(1_500);
    expect(await ledger.balanceOf(payee)).toBe(2n * SLOW_AMOUNT + 4n);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});

it("says 503 with Retry-After, and works again when the database is back", async () => {
  const entity = await ledger.anEntity();
  const [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
  const gone = await aRelay(Number(new URL(ledger.url).port));
  await gone.close();
  const away = ledger.aWriter({ url: through(gone) });
  const refused = await away.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n))).catch((error) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: "unavailable", status: 503, retryAfter: 1 });
  expect(await ledger.balanceOf(payee)).toBe(0n);
});
