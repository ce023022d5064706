import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../src/contract/shared/errors.ts";
import {
  aLedger,
  countOutcomes,
  ledgerFaults,
  outcomeOf,
  type TestLedger,
  type TestUser,
} from "../../test/support/a-ledger.ts";
import { holdTransaction } from "../../test/support/held-transaction.ts";
import {
  aCommand,
  aGrant,
  anOrigin,
  aPayment,
  aRegistration,
  aRemember,
  type TestEntity,
} from "../../test/support/ledger.ts";

let ledger: TestLedger;
let entity: TestEntity;
let payer: TestUser;
let payee: TestUser;

beforeAll(async () => {
  ledger = await aLedger();
});
beforeEach(async () => {
  entity = await ledger.anEntity();
  payer = await ledger.aUser(entity, 1_000n);
  payee = await ledger.aUser(entity);
});
afterAll(() => ledger.drop());

/** Locks a user's account, as a slow process would, until it is released. */
function hold(user: TestUser): Promise<() => Promise<void>> {
  return holdTransaction(ledger.sql, (tx) => tx`select from service.accounts where id = ${user.id} for update`);
}

function pay(amount: bigint, key?: string) {
  return aCommand(anOrigin(entity, key), aPayment(payer.id, payee.id, amount));
}

describe("a command whose answer throws", () => {
  it("fails alone with its own error: the rest of its batch is committed once each", async () => {
    const boom = new Error("this answer cannot be told");
    const failing = aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 500n), () => {
      throw boom;
    });
    const postings = [pay(1n), failing, pay(2n), pay(4n)].map((command) => ledger.writer.post(command));
    const [first, failed, ...others] = await Promise.allSettled(postings);
    expect(failed).toEqual({ status: "rejected", reason: boom });
    for (const other of [first, ...others]) expect(other).toMatchObject({ status: "fulfilled" });
    expect(await ledger.balanceOf(payee)).toBe(7n);
  });

  it("costs the commands of another entity one commit more, however many they are", async () => {
    const stranger = await ledger.anEntity();
    const bad = aCommand(anOrigin(stranger), aGrant(payee.id, 1n), () => {
      throw new Error("this answer cannot be told");
    });
    const before = ledger.writer.figures.commits;
    const postings = Array.from({ length: 21 }, () => ledger.writer.post(pay(1n)));
    postings.splice(20, 0, ledger.writer.post(bad));
    const settled = await Promise.allSettled([...postings, ledger.writer.post(pay(1n))]);
    expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(ledger.writer.figures.commits - before).toBeLessThanOrEqual(2);
    expect(await ledger.balanceOf(payee)).toBe(22n);
  });

  it("keeps nothing under its key: sent again in a form that can be told, it is carried out", async () => {
    const origin = anOrigin(entity, "told later");
    const action = aPayment(payer.id, payee.id, 5n);
    const untold = aCommand(origin, action, () => ({ amount: 5n }));
    await expect(ledger.writer.post(untold)).rejects.toThrow(TypeError);
    expect(await ledger.writer.post(aCommand(origin, action))).toMatchObject({ replayed: false });
    expect(await ledger.balanceOf(payee)).toBe(5n);
  });

  it("is the same for a statement that the database refuses", async () => {
    const wrong = aCommand(anOrigin(entity), aRegistration(0n, { status: "no such status" }));
    const postings = [ledger.writer.post(pay(1n)), ledger.writer.post(wrong), ledger.writer.post(pay(2n))];
    const settled = await Promise.allSettled(postings);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await ledger.balanceOf(payee)).toBe(3n);
  });
});

describe("refusals", () => {
  it("are ApiErrors with code, sentence and faults, and the same again for the same key", async () => {
    const { nit, phone } = payer;
    const command = aCommand(anOrigin(entity, "duplicate"), aRegistration(0n, { nit, phone }));
    const faults = [
      { pointer: "/nit", detail: "belongs to another user" },
      { pointer: "/phone", detail: "belongs to another user" },
    ];
    const expected = {
      code: "duplicate_user",
      status: 409,
      detail: "Another user has that nit and that phone.",
      faults,
    };
    await expect(ledger.writer.post(command)).rejects.toMatchObject({ ...expected, replayed: false });
    await expect(ledger.writer.post(command)).rejects.toMatchObject({ ...expected, replayed: true });
    await expect(ledger.writer.post(command)).rejects.toBeInstanceOf(ApiError);
  });

  it("that the posting did not decide are decided anew", async () => {
    const stranger = await ledger.anEntity();
    const command = aCommand(anOrigin(stranger, "not mine"), aPayment(payer.id, payee.id, 1n));
    for (let time = 0; time < 2; time++) {
      await expect(ledger.writer.post(command)).rejects.toMatchObject({ code: "payer_not_yours", replayed: false });
    }
  });
});

describe("a copy of a request that is still running", () => {
  it("is told so after its wait, and the first is answered when it is done", async () => {
    const writer = ledger.aWriter({ copyWaitMs: 100 });
    const letGo = await hold(payer);
    const first = writer.post(pay(10n, "held"));
    const copy = await writer.post(pay(10n, "held")).catch((error: unknown) => error);
    expect(copy).toMatchObject({ code: "request_in_progress", status: 409, retryAfter: 1 });
    await letGo();
    expect(await first).toMatchObject({ replayed: false, body: { status: "approved" } });
    expect(await writer.post(pay(10n, "held"))).toMatchObject({ replayed: true, body: { status: "approved" } });
    expect(await ledger.balanceOf(payee)).toBe(10n);
  });

  it("waits for the answer when that comes in time", async () => {
    const writer = ledger.aWriter({ copyWaitMs: 5_000 });
    const letGo = await hold(payer);
    const postings = [writer.post(pay(10n, "patient")), writer.post(pay(10n, "patient"))];
    await pause(100);
    await letGo();
    const [first, copy] = await Promise.all(postings);
    expect([first?.replayed, copy?.replayed]).toEqual([false, true]);
    expect(copy?.body).toEqual(first?.body);
  });
});

describe("closing", () => {
  it("answers everything that was accepted, and refuses what comes after with 503", async () => {
    const writer = ledger.aWriter();
    const postings = Array.from({ length: 900 }, () => writer.post(pay(1n)));
    const closing = writer.close();
    await expect(writer.post(pay(1n))).rejects.toMatchObject({ code: "unavailable", status: 503 });
    await closing;
    expect(writer.figures).toMatchObject({ waiting: 0, commands: 900 });
    expect(await countOutcomes(postings)).toEqual({ approved: 900 });
    expect(await ledger.balanceOf(payee)).toBe(900n);
  });

  it("is at once when nothing waits", async () => {
    const writer = ledger.aWriter();
    await writer.post(pay(1n));
    await writer.close();
    await writer.close();
    expect(await outcomeOf(writer.post(pay(1n)))).toBe("unavailable");
  });
});

describe("the waiting room", () => {
  it("is bounded: what does not fit is refused with 503 and carried out by nobody", async () => {
    const writer = ledger.aWriter();
    const letGo = await hold(payer);
    const first = writer.post(pay(1n));
    await pause(100);
    const command = aCommand(anOrigin(entity), aRemember);
    const waiting = Array.from({ length: 20_000 }, () => writer.post(command));
    expect(writer.figures.waiting).toBe(20_000);
    await expect(writer.post(pay(1n))).rejects.toMatchObject({ code: "unavailable", retryAfter: 1 });
    await letGo();
    expect(await countOutcomes([first, ...waiting])).toEqual({ approved: 1, done: 20_000 });
    expect(await ledger.balanceOf(payee)).toBe(1n);
  });
});

describe("a command that would wait longer than the limit", () => {
  async function held(maxWaitMs: number) {
    const writer = ledger.aWriter({ maxWaitMs });
    const letGo = await hold(payer);
    const stuck = writer.post(pay(1n));
    await pause(20);
    return { writer, letGo, stuck };
  }

  it("is refused after that time with 503, and is carried out by nobody", async () => {
    const { writer, letGo, stuck } = await held(300);
    const startedAt = performance.now();
    await expect(writer.post(pay(2n, "late"))).rejects.toMatchObject({ code: "unavailable", retryAfter: 1 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(writer.figures.waiting).toBe(0);
    await letGo();
    await stuck;
    expect(await ledger.balanceOf(payee)).toBe(1n);
    expect(await writer.post(pay(2n, "late"))).toMatchObject({ replayed: false });
    expect(await ledger.balanceOf(payee)).toBe(3n);
  });

  it("is refused at once when a commit has taken as long already, with the time that it may still take", async () => {
    const { writer, letGo, stuck } = await held(300);
    await pause(1_200);
    const startedAt = performance.now();
    await expect(writer.post(pay(2n))).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
    expect(performance.now() - startedAt).toBeLessThan(100);
    await letGo();
    await stuck;
    expect(await outcomeOf(writer.post(pay(2n)))).toBe("approved");
  });

  it("is refused at once when so much of its entity waits, and another entity's is served", async () => {
    const writer = ledger.aWriter({ maxWaitMs: 250 });
    const command = aCommand(anOrigin(entity), aRemember);
    const rounds = Array.from({ length: 40 }, async () => {
      const outcomes = await countOutcomes(Array.from({ length: 2_000 }, () => writer.post(command)));
      await pause(5);
      return outcomes;
    });
    const stranger = await ledger.anEntity();
    const theirs: unknown[] = [];
    const until = performance.now() + 1_000;
    while (performance.now() < until) {
      theirs.push(await outcomeOf(writer.post(aCommand(anOrigin(stranger), aRemember))));
      await pause(10);
    }
    const refused = (await Promise.all(rounds)).reduce((sum, { unavailable = 0 }) => sum + unavailable, 0);
    expect(refused).toBeGreaterThan(0);
    expect(theirs.filter((outcome) => outcome === "done").length).toBeGreaterThan(theirs.length * 0.9);
  });

  it("waits all the same when it is the service's own work", async () => {
    const { writer, letGo, stuck } = await held(100);
    const origin = { clientId: "cupo", entityId: entity.id, operation: "accrue", idempotency: undefined };
    const action = { type: "accrue", through: "2026-01-01", credits: [] } as const;
    const accrual = writer.post({ origin, action, answer: () => "accrued" });
    await pause(500);
    await letGo();
    expect(await accrual).toMatchObject({ body: "accrued" });
    await stuck;
  });
});

describe("the business day", () => {
  it("that turns while a batch waits is the day of its posting, of its accounts and of its instant", async () => {
    const [lender, creator] = [await ledger.anEntity(), entity];
    await ledger.sql`update service.entities set lenders = ${[lender.id]} where id = ${creator.id}`;
    const instants = ["2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00.000Z"].map((text) => new Date(text));
    const clock = (): Date => (instants.length > 1 ? instants.shift() : instants[0]) as Date;
    const writer = ledger.aWriter({ clock });
    await writer.post(aCommand(anOrigin(lender), aGrant(payee.id, 70n, { reference: "TURNED" })));
    const [posting] = await ledger.sql`
      select business_day, created_at from service.postings where reference = 'TURNED'`;
    expect(posting).toEqual({ business_day: "2026-04-01", created_at: new Date("2026-04-01T00:00:00.000Z") });
    const dues = await ledger.sql`
      select kind, entity_id, counterparty_id, posted from service.accounts
      where day = '2026-04-01' and ${lender.id} in (entity_id, counterparty_id) order by kind`;
    expect(dues).toEqual([
      { kind: "due_from", entity_id: creator.id, counterparty_id: lender.id, posted: -70n },
      { kind: "due_to", entity_id: lender.id, counterparty_id: creator.id, posted: 70n },
    ]);
  });
});

it("leaves a sound ledger behind", async () => {
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
