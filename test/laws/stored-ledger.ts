import { randomBytes, randomUUID } from "node:crypto";
import { v7 } from "uuid";
import type { Sql } from "../../server/database/connect.ts";
import type { Action, Command } from "../../server/ledger/model/command.ts";
import type { Posted } from "../../server/ledger/queued-command.ts";
import type { Writer } from "../../server/ledger/writer.ts";
import { sumAmounts } from "../../src/money.ts";
import {
  aCommand,
  aGrant,
  anOrigin,
  aPayment,
  aQrPayment,
  aRegistration,
  aReservation,
  aTransfer,
} from "../support/ledger.ts";
import type { LedgerFixture } from "../support/ledger-fixture.ts";
import { RECORDED, type RecordedPlan } from "./recorded-payments.ts";

/** A database, and writers on the day before that of a history and on its own. */
export interface Storing {
  readonly sql: Sql;
  readonly before: Writer;
  readonly today: Writer;
}

/** The balances of a fixture's users in their order, the held parts of them, and the debt in each direction. */
export interface Standing {
  readonly balances: readonly bigint[];
  readonly held: readonly bigint[];
  readonly owed: ReadonlyMap<string, bigint>;
}

/** Copies a value, its texts changed by a function that is told in which field each stands. */
function withTexts<T>(value: T, change: (text: string, field: string) => string, field = ""): T {
  if (typeof value === "string") return change(value, field) as T;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change, field)) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, change, key)])) as T;
}

/**
 * A history's fixture as it stands in PostgreSQL, under ids and names of its own: one database has many. All of it is
 * posted by writers, so that it is sound: balances come from deposits, approved payments have their entries, and the
 * debts that they made are settled.
 */
export class StoredLedger {
  readonly #storing: Storing;
  readonly #fixture: LedgerFixture;
  readonly #mark = randomBytes(6).toString("hex");
  /** Stored ids by those of the fixture. */
  readonly #ids = new Map<string, string>();

  private constructor(storing: Storing, fixture: LedgerFixture) {
    this.#storing = storing;
    this.#fixture = fixture;
  }

  /** Stores a fixture. */
  static async store(storing: Storing, fixture: LedgerFixture): Promise<StoredLedger> {
    const stored = new StoredLedger(storing, fixture);
    await stored.#openEntities();
    await stored.#register();
    await stored.#limit();
    await stored.#deposit(fixture.users.map(({ id }) => [id, sumAmounts(plansOf(fixture, id).sent)]));
    await stored.#record();
    await stored.#settleDebts();
    await stored.#deposit(fixture.users.map(({ id }) => [id, stored.#missingOf(id)]));
    await stored.#openDay();
    return stored;
  }

  /** A command of a history on this ledger. Its own reference is fresh: a history may draw one twice. */
  commandOf({ origin, action, answer }: Command): Command {
    return { origin: this.#stored(origin), action: this.#stored(action), answer };
  }

  async standing(): Promise<Standing> {
    const { sql } = this.#storing;
    const users = this.#fixture.users.map(({ id }) => this.#ids.get(id) ?? "");
    const accounts = await sql<{ id: string; posted: bigint; held: bigint }[]>`
      select id, posted, held from service.accounts where id = any(${users})`;
    const exposures = await sql<{ creditor: string; debtor: string; used: string }[]>`
      select creditor_id as creditor, debtor_id as debtor, sum(used)::text as used from service.counterparty_slices
      where creditor_id = any(${this.#fixture.entities.map(({ id }) => this.#ids.get(id) ?? "")}) group by 1, 2`;
    const known = new Map([...this.#ids].map(([id, stored]) => [stored, id]));
    const byId = new Map(accounts.map((account) => [account.id, account]));
    return {
      balances: users.map((id) => byId.get(id)?.posted ?? 0n),
      held: users.map((id) => byId.get(id)?.held ?? 0n),
      owed: new Map(
        exposures.map((each) => [`${known.get(each.creditor)}|${known.get(each.debtor)}`, BigInt(each.used)]),
      ),
    };
  }

  #stored<T>(value: T): T {
    return withTexts(value, (text, field) => {
      if (field === "nit" || field === "phone" || text.startsWith("QR-")) return `${text}-${this.#mark}`;
      return field === "reference" ? randomUUID() : (this.#ids.get(text) ?? text);
    });
  }

  /** Posts an action of an entity; both are given by ids of the fixture. */
  async #post(writer: Writer, entityId: string, action: Action): Promise<Posted> {
    const command = aCommand(anOrigin({ id: entityId, clientId: entityId }), action);
    return writer.post(this.commandOf(command as unknown as Command));
  }

  async #openEntities(): Promise<void> {
    const { sql } = this.#storing;
    for (const { id } of this.#fixture.entities) this.#ids.set(id, v7());
    for (const { id, ...settings } of this.#fixture.state.entities.values()) {
      const lenders = settings.lenders?.map((each) => this.#ids.get(each) ?? "") ?? null;
      await sql`insert into service.entities
        (id, name, created_at, blocking_statuses, payment_limit, daily_limit, lenders)
        values (${this.#ids.get(id) ?? ""}, 'An entity', now(), ${settings.blockingStatuses as string[]}::text[],
          ${settings.paymentLimit}, ${settings.dailyLimit}, ${lenders}::uuid[])`;
    }
  }

  async #register(): Promise<void> {
    const registering = this.#fixture.users.map(async ({ id, creatorId, blockedAt: _, ...user }) => {
      const { body } = await this.#post(this.#storing.before, creatorId, aRegistration(0n, user));
      this.#ids.set(id, (body as { readonly id: string }).id);
    });
    await Promise.all(registering);
  }

  async #limit(): Promise<void> {
    const limiting = [...this.#fixture.state.exposures.values()].map(({ creditorId, debtorId, limit }) =>
      this.#post(this.#storing.before, creditorId, { type: "limit-counterparty", debtorId, limit }),
    );
    await Promise.all(limiting);
  }

  /** Gives users cash, or takes it back where the amount is below zero. */
  async #deposit(amounts: readonly (readonly [string, bigint])[]): Promise<void> {
    const depositing = amounts.map(async ([userId, amount]) => {
      if (amount === 0n) return;
      const taken = { type: "discharge", userId, amount: -amount, reference: "" } as const;
      const deposit = aGrant(userId, amount, { loanType: "deposit", dueDate: undefined });
      await this.#post(this.#storing.before, this.#creatorOf(userId), amount < 0n ? taken : deposit);
    });
    await Promise.all(depositing);
  }

  async #record(): Promise<void> {
    const recording = RECORDED.map(async (plan) => {
      const [from, to] = partiesOf(this.#fixture, plan);
      const made = { requestedStatus: plan.status, holdExpiresAt: plan.expiresAt };
      const [maker, payer] = [this.#creatorOf(to.id), this.#creatorOf(from.id)];
      const qr = aReservation(to, plan.amount, { reference: plan.qrReference ?? "" });
      if (plan.qrReference !== undefined) await this.#post(this.#storing.before, maker, qr);
      const payment =
        plan.qrReference === undefined
          ? aPayment(from.id, to.id, plan.amount, made)
          : aQrPayment(qr, from.id, { ...made, kind: "payment" });
      const { body } = await this.#post(this.#storing.before, payer, payment);
      this.#ids.set(plan.id, (body as { readonly id: string }).id);
    });
    await Promise.all(recording);
  }

  /** Pays what the approved payments made entities owe: the fixture begins without debts but those of holds. */
  async #settleDebts(): Promise<void> {
    const settling = RECORDED.map(async (plan) => {
      const [debtorId, creditorId] = partiesOf(this.#fixture, plan).map(({ id }) => this.#creatorOf(id));
      if (plan.status === "pending" || debtorId === undefined || creditorId === undefined) return;
      if (debtorId === creditorId) return;
      const settlement = { type: "record-settlement", debtorId, amount: plan.amount, reference: "" } as const;
      await this.#post(this.#storing.before, creditorId, settlement);
    });
    await Promise.all(settling);
  }

  /** The part of its balance that a user lacks after the recorded payments. */
  #missingOf(id: string): bigint {
    const { sent, settled, received } = plansOf(this.#fixture, id);
    const balance = sumAmounts(sent) - sumAmounts(settled) + sumAmounts(received);
    return (this.#fixture.state.accounts.get(id)?.posted ?? 0n) - balance;
  }

  /**
   * Moves a cent between each two entities and back, and registers a user with a cent at each: this opens the day's
   * accounts and slices of limits, so that hardly any later commit has to.
   */
  async #openDay(): Promise<void> {
    const [ana, luz, rosa] = this.#fixture.users.map(({ id }) => id);
    if (ana === undefined || luz === undefined || rosa === undefined) throw new Error("the fixture has no three users");
    const pairs = [
      [rosa, ana],
      [ana, luz],
      [rosa, luz],
    ] as const;
    const move = (from: string, to: string) =>
      this.#post(this.#storing.today, this.#creatorOf(from), aTransfer(from, to, 1n));
    await Promise.all(pairs.map(([from, to]) => move(from, to)));
    await Promise.all(pairs.map(([from, to]) => move(to, from)));
    const lend = (entityId: string) => this.#post(this.#storing.today, entityId, aRegistration(1n));
    await Promise.all(this.#fixture.entities.map(({ id }) => lend(id)));
  }

  #creatorOf(userId: string): string {
    return this.#fixture.state.users.get(userId)?.creatorId ?? "";
  }
}

function partiesOf({ users }: LedgerFixture, { from, to }: RecordedPlan) {
  const [payer, payee] = [users[from], users[to]];
  if (payer === undefined || payee === undefined) throw new Error("the fixture has not so many users");
  return [payer, payee] as const;
}

/** The amounts of the recorded payments of a user: those it sent, those of them that are settled, and those it got. */
function plansOf(fixture: LedgerFixture, id: string) {
  const sent = RECORDED.filter((plan) => partiesOf(fixture, plan)[0].id === id);
  const received = RECORDED.filter((plan) => partiesOf(fixture, plan)[1].id === id);
  const amounts = (plans: readonly RecordedPlan[]) => plans.map(({ amount }) => amount);
  const settled = ({ status }: RecordedPlan): boolean => status === "approved";
  return { sent: amounts(sent), settled: amounts(sent.filter(settled)), received: amounts(received.filter(settled)) };
}
